-- What a process ran under beside load and mean clock. "Meanwhile" is what was seen every ten seconds while it ran.

ALTER TABLE process ADD COLUMN load_meanwhile REAL; -- the highest
ALTER TABLE process ADD COLUMN clock_highest REAL; -- Hz, of the processor that ran fastest: highest of before and meanwhile
ALTER TABLE process ADD COLUMN clock_lowest REAL; -- the same: lowest of meanwhile
ALTER TABLE process ADD COLUMN temperature_before REAL; -- degrees Celsius, of the hottest sensor
ALTER TABLE process ADD COLUMN temperature_meanwhile REAL; -- the highest
ALTER TABLE process ADD COLUMN temperature_after REAL;
ALTER TABLE process ADD COLUMN throttled INTEGER CHECK (throttled IN (0, 1)); -- 1: the machine held its clock down; 0: it says when it does, and did not
