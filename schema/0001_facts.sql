-- Facts. Rows are added and, but for the few columns marked "later", never changed; what can be derived is a view (views.sql).
-- Times are nanoseconds since 1970-01-01 UTC; durations are seconds. Unknown is NULL.

CREATE TABLE raw (                       -- raw texts: outputs, logs, documents; each distinct text once
	id       INTEGER PRIMARY KEY,
	sha256   BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32), -- of the text before compression
	size     INTEGER NOT NULL CHECK (size >= 0), -- bytes before compression
	codec    TEXT    NOT NULL CHECK (codec IN ('none', 'zlib')),
	bytes    BLOB    NOT NULL
) STRICT;

CREATE TABLE label (                     -- a key with a value, each pair once
	id       INTEGER PRIMARY KEY,
	key      TEXT    NOT NULL,           -- schema/labels.def
	value    TEXT    NOT NULL,
	UNIQUE (key, value)
) STRICT;

CREATE TABLE series (                    -- what a history follows: a set of labels, the metric among them
	id       INTEGER PRIMARY KEY,
	sha256   BLOB    NOT NULL UNIQUE CHECK (length(sha256) = 32) -- of its "key=value\n" lines in the order of schema/labels.def
) STRICT;

CREATE TABLE series_label (
	series_id INTEGER NOT NULL REFERENCES series (id),
	label_id  INTEGER NOT NULL REFERENCES label (id),
	PRIMARY KEY (series_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_label_by_label ON series_label (label_id);

CREATE TABLE platform (                  -- what an agent's machine is
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,
	name     TEXT    NOT NULL UNIQUE,    -- the label `platform`
	environment TEXT NOT NULL CHECK (environment IN ('hardware', 'emulator', 'unknown')),
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE platform_fact (             -- what it says of itself: cpu, cores, memory, kernel, emulator, ...; a row per change
	platform_id INTEGER NOT NULL REFERENCES platform (id),
	key      TEXT    NOT NULL,
	seen_at  INTEGER NOT NULL,           -- holds from then on until the next row of the key
	value    TEXT,                       -- NULL: it says so no longer
	PRIMARY KEY (platform_id, key, seen_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (                       -- one execution of a matrix
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,
	matrix   TEXT    NOT NULL,           -- its name
	label    TEXT,                       -- given by the user
	matrix_raw_id INTEGER REFERENCES raw (id), -- the matrix file as it was
	plan_raw_id   INTEGER REFERENCES raw (id), -- the plan as it was made, with exclusions
	program  TEXT    NOT NULL,           -- version of benchmatrix
	started_at INTEGER NOT NULL,
	ended_at INTEGER,                    -- later; NULL while it runs, or for ever where it was killed
	status   INTEGER                     -- later; exit status that it ended with
) STRICT;

CREATE TABLE build (                     -- one program, or one failure to make it
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,
	key_library TEXT,                    -- content key of the library archive; NULL where it was not reached
	key_program TEXT,                    -- content key of the program; NULL where it was not reached
	state    TEXT    NOT NULL CHECK (state IN ('ok', 'excluded', 'unsupported', 'configure-failed', 'compile-failed',
	                                           'link-failed', 'timeout', 'cancelled')),
	reason   TEXT,                       -- the first real error, or what is missing and how to install it
	arch     TEXT    NOT NULL,           -- of the toolchain
	revision TEXT,                       -- what the version stood at: package version, commit, tree hash
	compiler TEXT,                       -- the compiler's own words about its version
	configure_line TEXT,                 -- as it was run
	optimisation_effective TEXT,         -- the -O level that the compiler was last given
	math     TEXT,                       -- math back end by the symbols of the archive
	machine  TEXT,                       -- ELF machine of the program, "EM_AARCH64 64-bit little-endian"
	code_sha256 TEXT,                    -- of the library's code and read-only data, without strings that record the build
	log_raw_id INTEGER REFERENCES raw (id), -- everything that the steps printed
	created_at INTEGER NOT NULL,
	seconds  REAL,                       -- spent to make it; NULL where it was taken from the cache
	CHECK (state = 'ok' OR reason IS NOT NULL),
	CHECK (state <> 'ok' OR key_program IS NOT NULL)
) STRICT;
CREATE INDEX build_by_program ON build (key_program);

CREATE TABLE build_label (               -- library, version, config, profile, optimisation, toolchain
	build_id INTEGER NOT NULL REFERENCES build (id),
	label_id INTEGER NOT NULL REFERENCES label (id),
	PRIMARY KEY (build_id, label_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cell (                      -- build x agent x instrument in a run; build and platform may change until its first attempt
	id       INTEGER PRIMARY KEY,
	run_id   INTEGER NOT NULL REFERENCES run (id),
	name     TEXT    NOT NULL,           -- "aarch64-gcc wolfssl-5.5.4 sp crypto -O2 on qemu-user count"; unique in its run
	build_id INTEGER NOT NULL REFERENCES build (id),
	build_cached INTEGER NOT NULL CHECK (build_cached IN (0, 1)), -- 1: the program was there before the run
	agent    TEXT    NOT NULL,
	platform_id INTEGER REFERENCES platform (id), -- NULL where the agent was not reached
	instrument TEXT  NOT NULL,
	mode     TEXT    NOT NULL CHECK (mode IN ('time', 'count')),
	created_at INTEGER NOT NULL,
	UNIQUE (run_id, name)
) STRICT;
CREATE INDEX cell_by_build ON cell (build_id);

CREATE TABLE attempt (                   -- one try at a cell: one or more invocations of its program
	id       INTEGER PRIMARY KEY,
	uuid     TEXT    NOT NULL UNIQUE,    -- makes taking it in idempotent
	cell_id  INTEGER NOT NULL REFERENCES cell (id),
	number   INTEGER NOT NULL CHECK (number >= 1), -- of the try
	state    TEXT    NOT NULL CHECK (state IN ('ok', 'crashed', 'timeout', 'truncated', 'infrastructure', 'cancelled')),
	reason   TEXT,                       -- "signal 7 (SIGBUS) in rsa-2048 private"
	exact_key TEXT,                      -- equal keys give equal exact results: program, arguments, emulator, plugin, CPU model
	carried_from INTEGER REFERENCES attempt (id), -- its results are those of this attempt, whose exact_key is equal
	argv     TEXT    NOT NULL,           -- JSON list: what was started
	library_version TEXT,                -- as the library itself said
	facts    TEXT    CHECK (facts IS NULL OR json_valid(facts)), -- the header record of its first invocation
	out_raw_id INTEGER REFERENCES raw (id), -- the stream as it came
	errors_raw_id INTEGER REFERENCES raw (id), -- standard error
	problems INTEGER NOT NULL DEFAULT 0 CHECK (problems >= 0), -- lines of the stream that could not be read
	started_at INTEGER NOT NULL,
	seconds  REAL    NOT NULL,
	UNIQUE (cell_id, number),
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT;
CREATE INDEX attempt_by_exact_key ON attempt (exact_key) WHERE exact_key IS NOT NULL;

CREATE TABLE attempt_note (              -- doubts about all figures of an attempt: "busy: load 3.1 before, 2.9 after"
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	note     TEXT    NOT NULL,
	PRIMARY KEY (attempt_id, note)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcome (                   -- what became of one benchmark in one attempt
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	benchmark TEXT   NOT NULL,
	block    TEXT    NOT NULL DEFAULT '', -- bytes per call; '' for a benchmark per operation
	state    TEXT    NOT NULL CHECK (state IN ('ok', 'unavailable', 'wrong-answer', 'crashed', 'timeout', 'skipped', 'flaky')),
	reason   TEXT,
	digest   TEXT,                       -- of the timed output
	proof    TEXT    CHECK (proof IN ('digest', 'round-trip', 'verify')),
	PRIMARY KEY (attempt_id, benchmark, block),
	CHECK (state = 'ok' OR reason IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (               -- one figure; in the metric's base unit per byte (bulk) or per operation
	id       INTEGER PRIMARY KEY,
	series_id INTEGER NOT NULL REFERENCES series (id),
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	source   INTEGER NOT NULL CHECK (source BETWEEN 0 AND 2),      -- 0 own, 1 imported, 2 published
	environment INTEGER NOT NULL CHECK (environment BETWEEN 0 AND 2), -- 0 hardware, 1 emulator, 2 unknown
	kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),        -- 0 sampled, 1 exact, 2 derived, 3 stated
	n        INTEGER NOT NULL CHECK (n >= 1),                      -- samples
	minimum  REAL,
	quartile_1 REAL,                     -- by linear interpolation; NULL for n = 1
	median   REAL    NOT NULL,           -- the figure itself where it is exact
	quartile_3 REAL,
	maximum  REAL,
	mean     REAL,
	sd       REAL,                       -- sample standard deviation; NULL for n = 1
	-- Holds all that picking the latest of a series and origin needs, so that a history is not read row by row.
	UNIQUE (series_id, source, environment, kind, attempt_id)
) STRICT;
CREATE INDEX measurement_by_attempt ON measurement (attempt_id);

CREATE TABLE sample (                    -- the samples of a sampled measurement
	measurement_id INTEGER PRIMARY KEY REFERENCES measurement (id),
	-- Little-endian: for each invocation uint32 invocation, uint32 n, uint64 iterations, then n binary64 values in the order taken.
	packed   BLOB    NOT NULL
) STRICT;

CREATE TABLE view_text (                 -- what the views were made from; no row: there are none
	one      INTEGER PRIMARY KEY CHECK (one = 1),
	sha256   TEXT    NOT NULL            -- of views.sql
) STRICT;
