-- What a build's revision came after.

ALTER TABLE build ADD COLUMN parent TEXT; -- commit before `revision`, as far as git knows it
