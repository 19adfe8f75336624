-- Figures of other tools: documents that were imported, what they printed, and what could not be read of them.
-- An import is a run without a matrix; each execution of a tool that a document shows is one of its cells, with one attempt.
-- References are checked at the end: while tables are made anew they are off.

CREATE TABLE run_new (                   -- one execution of a matrix, or one import
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,
	matrix   TEXT,                       -- its name; NULL: an import (table document)
	label    TEXT,                       -- given by the user; of an import the document's name
	matrix_raw_id INTEGER REFERENCES raw (id), -- the matrix file as it was
	plan_raw_id   INTEGER REFERENCES raw (id), -- the plan as it was made, with exclusions
	program  TEXT    NOT NULL,           -- version of benchmatrix
	started_at INTEGER NOT NULL,         -- of an import: when it was imported
	ended_at INTEGER,                    -- later; NULL while it runs, or for ever where it was killed
	status   INTEGER                     -- later; exit status that it ended with
) STRICT;
INSERT INTO run_new SELECT id, uuid, matrix, label, matrix_raw_id, plan_raw_id, program, started_at, ended_at, status FROM run;
DROP TABLE run;
ALTER TABLE run_new RENAME TO run;

CREATE TABLE build_new (                 -- one program, one failure to make it, or what is known of the build behind foreign figures
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,
	key_library TEXT,                    -- content key of the library archive; NULL where it was not reached
	key_program TEXT,                    -- content key of the program; NULL where it was not reached or is not ours
	state    TEXT    NOT NULL CHECK (state IN ('ok', 'excluded', 'unsupported', 'configure-failed', 'compile-failed',
	                                           'link-failed', 'timeout', 'cancelled')),
	reason   TEXT,                       -- the first real error, or what is missing and how to install it
	arch     TEXT,                       -- of the toolchain; NULL: unknown
	revision TEXT,                       -- what the version stood at: package version, commit, tree hash
	parent   TEXT,                       -- commit before `revision`, as far as git knows it
	compiler TEXT,                       -- the compiler's own words about its version
	configure_line TEXT,                 -- as it was run
	optimisation_effective TEXT,         -- the -O level that the compiler was last given
	math     TEXT,                       -- math back end by the symbols of the archive
	machine  TEXT,                       -- ELF machine of the program, "EM_AARCH64 64-bit little-endian"
	code_sha256 TEXT,                    -- of the library's code and read-only data, without strings that record the build
	log_raw_id INTEGER REFERENCES raw (id), -- everything that the steps printed
	created_at INTEGER NOT NULL,
	seconds  REAL,                       -- spent to make it; NULL where it was taken from the cache
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT;
INSERT INTO build_new SELECT id, uuid, key_library, key_program, state, reason, arch, revision, parent, compiler, configure_line,
       optimisation_effective, math, machine, code_sha256, log_raw_id, created_at, seconds FROM build;
DROP TABLE build;
ALTER TABLE build_new RENAME TO build;
CREATE INDEX build_by_program ON build (key_program);

CREATE TABLE attempt_new (               -- one try at a cell: one or more invocations of its program; or a part of a document
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,    -- makes taking it in idempotent
	cell_id  INTEGER NOT NULL REFERENCES cell (id),
	number   INTEGER NOT NULL CHECK (number >= 1), -- of the try
	state    TEXT    NOT NULL CHECK (state IN ('ok', 'crashed', 'timeout', 'truncated', 'infrastructure', 'cancelled')),
	reason   TEXT,                       -- "signal 7 (SIGBUS) in rsa-2048 private"
	exact_key TEXT,                      -- equal keys give equal exact results: program, arguments, emulator, plugin, CPU model
	carried_from INTEGER REFERENCES attempt (id), -- its results are those of this attempt, whose exact_key is equal
	argv     TEXT    NOT NULL,           -- JSON list: what was started; empty: unknown
	library_version TEXT,                -- as the library itself said
	facts    TEXT    CHECK (facts IS NULL OR json_valid(facts)), -- the header record of its first invocation; what a document says
	out_raw_id INTEGER REFERENCES raw (id), -- the stream as it came; the document
	errors_raw_id INTEGER REFERENCES raw (id), -- standard error
	problems INTEGER NOT NULL DEFAULT 0 CHECK (problems >= 0), -- lines of the stream that could not be read
	started_at INTEGER NOT NULL,         -- of a document: when it was published, else when it was imported
	seconds  REAL,                       -- NULL: unknown
	UNIQUE (cell_id, number),
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT;
INSERT INTO attempt_new SELECT id, uuid, cell_id, number, state, reason, exact_key, carried_from, argv, library_version, facts,
       out_raw_id, errors_raw_id, problems, started_at, seconds FROM attempt;
DROP TABLE attempt;
ALTER TABLE attempt_new RENAME TO attempt;
CREATE INDEX attempt_by_exact_key ON attempt (exact_key) WHERE exact_key IS NOT NULL;

-- Words are told apart by OR: SQLite makes a table of a list of three or more for each row that comes, which takes longer than the row.
CREATE TABLE outcome_new (               -- what became of one benchmark in one attempt
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	benchmark TEXT   NOT NULL,
	block    TEXT    NOT NULL DEFAULT '', -- bytes per call; '' for a benchmark per operation
	state    TEXT    NOT NULL CHECK (state = 'ok' OR state = 'unavailable' OR state = 'wrong-answer' OR state = 'crashed'
	                                 OR state = 'timeout' OR state = 'skipped' OR state = 'flaky'),
	reason   TEXT,
	digest   TEXT,                       -- of the timed output
	proof    TEXT    CHECK (proof = 'digest' OR proof = 'round-trip' OR proof = 'verify'),
	PRIMARY KEY (attempt_id, benchmark, block),
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO outcome_new SELECT attempt_id, benchmark, block, state, reason, digest, proof FROM outcome;
DROP TABLE outcome;
ALTER TABLE outcome_new RENAME TO outcome;

CREATE TABLE measurement_new (           -- one figure; in the metric's base unit per byte (bulk) or per operation
	id       INTEGER PRIMARY KEY,        -- its attempt's id * 2^20 + its place there: figures of an attempt lie together
	series_id INTEGER NOT NULL REFERENCES series (id),
	attempt_id INTEGER NOT NULL REFERENCES attempt (id) CHECK (attempt_id = id >> 20),
	source   INTEGER NOT NULL CHECK (source BETWEEN 0 AND 2),      -- 0 own, 1 imported, 2 published
	environment INTEGER NOT NULL CHECK (environment BETWEEN 0 AND 2), -- 0 hardware, 1 emulator, 2 unknown
	kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),        -- 0 sampled, 1 exact, 2 derived, 3 stated
	n        INTEGER CHECK (n >= 1),     -- samples; NULL: not told
	minimum  REAL,                       -- this and the following but the median: NULL where n = 1, they are the median then
	quartile_1 REAL,                     -- by linear interpolation
	median   REAL,                       -- the figure itself where n = 1; NULL where another statistic was printed
	quartile_3 REAL,
	maximum  REAL,
	mean     REAL,
	sd       REAL,                       -- sample standard deviation
	CHECK (coalesce(median, mean, minimum, maximum) IS NOT NULL)
) STRICT;
CREATE TABLE measurement_moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL) STRICT;
INSERT INTO measurement_moved
SELECT id, attempt_id * 1048576 + row_number() OVER (PARTITION BY attempt_id ORDER BY id) - 1 FROM measurement;
INSERT INTO measurement_new (id, series_id, attempt_id, source, environment, kind, n, minimum, quartile_1, median, quartile_3, maximum, mean, sd)
SELECT v.new, m.series_id, m.attempt_id, m.source, m.environment, m.kind, m.n, CASE WHEN m.n > 1 THEN m.minimum END, m.quartile_1, m.median,
       m.quartile_3, CASE WHEN m.n > 1 THEN m.maximum END, CASE WHEN m.n > 1 THEN m.mean END, m.sd
FROM measurement AS m JOIN measurement_moved AS v ON v.old = m.id ORDER BY v.new;
CREATE TABLE sample_new (                -- the samples of a sampled measurement
	measurement_id INTEGER PRIMARY KEY REFERENCES measurement (id),
	-- Little-endian: for each invocation uint32 invocation, uint32 n, uint64 iterations, then n binary64 values in the order taken.
	packed   BLOB    NOT NULL
) STRICT;
INSERT INTO sample_new SELECT v.new, s.packed FROM sample AS s JOIN measurement_moved AS v ON v.old = s.measurement_id ORDER BY v.new;
DROP TABLE sample;
DROP TABLE measurement;
DROP TABLE measurement_moved;
ALTER TABLE measurement_new RENAME TO measurement;
ALTER TABLE sample_new RENAME TO sample;
-- With the row's id behind it this also orders by attempt, so that the latest of a series and origin is found without reading rows.
CREATE INDEX measurement_by_series ON measurement (series_id, source, environment, kind);

CREATE TABLE document (                  -- one import
	run_id   INTEGER PRIMARY KEY REFERENCES run (id),
	sha256   BLOB    NOT NULL CHECK (length(sha256) = 32), -- of its text and of all that was said of it: the same again is the same import
	name     TEXT    NOT NULL,           -- of the file, without folders; of a publication its title
	importer TEXT    NOT NULL,           -- the format that it was read as
	raw_id   INTEGER REFERENCES raw (id), -- the text as it came
	reference TEXT,                      -- where it was published: an address or a citation; NULL: the user's own
	lines    INTEGER NOT NULL CHECK (lines >= 0),
	other    INTEGER NOT NULL CHECK (other >= 0), -- lines that are not the tool's
	UNIQUE (sha256)
) STRICT;

CREATE TABLE reading (                   -- one number as a document printed it
	id       INTEGER PRIMARY KEY,
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	line     INTEGER NOT NULL CHECK (line >= 0), -- from 1; 0: it follows from others
	name     TEXT    NOT NULL,           -- as printed: "RSA 2048 private"
	benchmark TEXT,                      -- later, where the name gets an alias; NULL: the name is unknown
	block TEXT, threads TEXT, engine TEXT, async TEXT,
	metric   TEXT    NOT NULL,
	work     TEXT    NOT NULL CHECK (work IN ('byte', 'operation')), -- what the value is per
	environment INTEGER NOT NULL CHECK (environment BETWEEN 0 AND 2),
	kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
	statistic TEXT   NOT NULL CHECK (statistic = 'mean' OR statistic = 'best' OR statistic = 'median' OR statistic = 'worst'),
	value    REAL,                       -- base unit per unit of work; NULL where the problem leaves none
	error    REAL,                       -- half of what the last printed digit is worth; NULL: unknown
	printed  TEXT    NOT NULL,           -- "912.347"
	unit     TEXT    NOT NULL,           -- "MB/s"; '' where none was printed
	problem  TEXT,                       -- why it is quarantined; NULL: it is not
	measurement_id INTEGER REFERENCES measurement (id) -- later, with the benchmark; NULL: it counts for nothing
) STRICT;
CREATE INDEX reading_by_attempt ON reading (attempt_id);
CREATE INDEX reading_by_measurement ON reading (measurement_id) WHERE measurement_id IS NOT NULL;
CREATE INDEX reading_unknown ON reading (name) WHERE benchmark IS NULL;

-- The columns of its key come first: in any other order the integrity check of SQLite 3.40 sees NULLs that are not there.
CREATE TABLE remark (                    -- a line of a document that was not understood, or something that it lacks
	run_id   INTEGER NOT NULL REFERENCES run (id),
	line     INTEGER NOT NULL CHECK (line >= 0),
	problem  TEXT    NOT NULL,
	text     TEXT    NOT NULL,
	PRIMARY KEY (run_id, line, problem)
) STRICT, WITHOUT ROWID;

CREATE TABLE alias (                     -- a user's own: what a tool's printed name is
	importer TEXT    NOT NULL,
	name     TEXT    NOT NULL,           -- in lower case, blanks as in schema/aliases.def
	benchmark TEXT   NOT NULL,           -- of benchmarks.def
	PRIMARY KEY (importer, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE baseline (                  -- a run that others are held against; what it rests on is never pruned
	name     TEXT    PRIMARY KEY,
	run_id   INTEGER NOT NULL REFERENCES run (id),
	pinned_at INTEGER NOT NULL
) STRICT;

CREATE TABLE pruned (                    -- raw texts whose bytes were given up; their hash and size stay
	raw_id   INTEGER PRIMARY KEY REFERENCES raw (id),
	pruned_at INTEGER NOT NULL
) STRICT;
