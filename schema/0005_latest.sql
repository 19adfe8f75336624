-- For databases of years: where the history of a series lies, the latest figure of each, and outcomes, which are the same every night.

-- Blocks of 4096 attempts come first, so that a night writes to few pages and not to one for each series. The planner looks
-- for a series in each block as long as it is told how few blocks there are.
DROP INDEX measurement_by_series;
CREATE INDEX measurement_by_series ON measurement (attempt_id >> 12, series_id, source, environment, kind);
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1 WHERE tbl = 'measurement';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('measurement', 'measurement_by_series', '10000000 700000 40 40 40 40');
ANALYZE sqlite_schema;

CREATE TABLE latest (                    -- the latest figure of each series and origin; follows from the others, `db check` sees that
	series_id INTEGER NOT NULL REFERENCES series (id),
	source   INTEGER NOT NULL,
	environment INTEGER NOT NULL,
	kind     INTEGER NOT NULL,
	started_at INTEGER NOT NULL,         -- of its attempt; of two at one instant the later row is the latest
	measurement_id INTEGER NOT NULL,
	PRIMARY KEY (series_id, source, environment, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO latest (series_id, source, environment, kind, started_at, measurement_id)
SELECT m.series_id, m.source, m.environment, m.kind, a.started_at, m.id FROM attempt AS a CROSS JOIN measurement AS m
ON m.id BETWEEN a.id << 20 AND (a.id << 20) + 1048575 WHERE true
ON CONFLICT (series_id, source, environment, kind) DO UPDATE SET started_at = excluded.started_at, measurement_id = excluded.measurement_id
WHERE (excluded.started_at, excluded.measurement_id) > (latest.started_at, latest.measurement_id);

CREATE TABLE outcome_list (              -- what became of the benchmarks of an attempt; attempts with equal outcomes share one
	id       INTEGER PRIMARY KEY,
	sha256   BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32) -- of its lines' columns, each by quote(), one after the other
) STRICT;

CREATE TABLE outcome_line (              -- what became of one benchmark: `outcome` (views.sql) has them by attempt
	list_id  INTEGER NOT NULL REFERENCES outcome_list (id),
	benchmark TEXT   NOT NULL,
	block    TEXT    NOT NULL DEFAULT '', -- bytes per call; '' for a benchmark per operation
	state    TEXT    NOT NULL CHECK (state = 'ok' OR state = 'unavailable' OR state = 'wrong-answer' OR state = 'crashed'
	                                 OR state = 'timeout' OR state = 'skipped' OR state = 'flaky'),
	reason   TEXT,
	digest   TEXT,                       -- of the timed output
	proof    TEXT    CHECK (proof = 'digest' OR proof = 'round-trip' OR proof = 'verify'),
	PRIMARY KEY (list_id, benchmark, block),
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT, WITHOUT ROWID;

ALTER TABLE attempt ADD COLUMN outcome_list_id INTEGER REFERENCES outcome_list (id); -- NULL: it has none

CREATE TABLE outcome_moved (attempt_id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL) STRICT;
INSERT INTO outcome_moved (attempt_id, sha256)
SELECT attempt_id, sha256(group_concat(line, '')) FROM (
	SELECT attempt_id, quote(benchmark) || quote(block) || quote(state) || quote(reason) || quote(digest) || quote(proof) AS line
	FROM outcome ORDER BY attempt_id, benchmark, block)
GROUP BY attempt_id;
INSERT INTO outcome_list (sha256) SELECT sha256 FROM outcome_moved GROUP BY sha256 ORDER BY min(attempt_id);
INSERT INTO outcome_line (list_id, benchmark, block, state, reason, digest, proof)
SELECT l.id, o.benchmark, o.block, o.state, o.reason, o.digest, o.proof FROM outcome_list AS l
JOIN (SELECT sha256, min(attempt_id) AS attempt_id FROM outcome_moved GROUP BY sha256) AS m ON m.sha256 = l.sha256
JOIN outcome AS o ON o.attempt_id = m.attempt_id;
UPDATE attempt SET outcome_list_id = l.id FROM outcome_moved AS m JOIN outcome_list AS l ON l.sha256 = m.sha256 WHERE attempt.id = m.attempt_id;
DROP TABLE outcome_moved;
DROP TABLE outcome;
