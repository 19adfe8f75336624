-- Nights: runs that are held against earlier ones, what was found, and whether it was told. They are of this database; a merge leaves them.

CREATE TABLE night (
	run_id   INTEGER PRIMARY KEY REFERENCES run (id),
	baseline TEXT    NOT NULL,           -- as asked for: "previous", "median:7", the name of a baseline
	report   TEXT    CHECK (report IS NULL OR json_valid(report)), -- later, with its alarms; NULL: it has not come to that
	settled_at INTEGER,                  -- later, with the report
	told_at  INTEGER,                    -- later; when all who were to hear of it had heard
	CHECK ((report IS NULL) = (settled_at IS NULL)),
	CHECK (told_at IS NULL OR settled_at IS NOT NULL)
) STRICT;

CREATE TABLE alarm (                     -- a change of a series that was looked into, once
	run_id   INTEGER NOT NULL REFERENCES night (run_id), -- the night that found it
	series_id INTEGER NOT NULL REFERENCES series (id),
	kind     TEXT    NOT NULL CHECK (kind IN ('regression', 'improvement', 'instrument', 'refuted', 'unclear')),
	before   REAL    NOT NULL,           -- as the nights measured them
	after    REAL    NOT NULL,
	again    REAL,                       -- the revision of `before` with the instrument of `after`; NULL: not measured
	revision_before TEXT,                -- the change came after this one
	revision_after TEXT,                 -- and not after that one
	instrument TEXT,                     -- what changed of it, in words; NULL: nothing that is known
	confirmed_run_id INTEGER REFERENCES run (id), -- that measured it again; NULL: none
	PRIMARY KEY (run_id, series_id)
) STRICT, WITHOUT ROWID;
