-- The processes of an attempt, and under which conditions each ran.

CREATE TABLE process (                   -- one process; an invocation is one of them, or several where one died or was lost and another went on
	attempt_id INTEGER NOT NULL REFERENCES attempt (id),
	number   INTEGER NOT NULL CHECK (number >= 0), -- in the order in which they were started
	invocation INTEGER NOT NULL CHECK (invocation >= 0),
	argv     TEXT    NOT NULL,           -- JSON list: what was started
	ended    TEXT    NOT NULL,           -- "exit status 0", "signal 7 (SIGBUS)", "lost with the run"
	started_at INTEGER NOT NULL,
	seconds  REAL,                       -- NULL where it was lost
	cpu_seconds REAL,                    -- user and system time of it and its descendants
	max_rss_bytes INTEGER,               -- the largest single process below it
	load_before REAL, load_after REAL,   -- load average of one minute of the machine
	frequency_before REAL, frequency_after REAL, -- Hz, of its processors' mean
	others   REAL,                       -- processors that everything but this process kept busy meanwhile, on average
	PRIMARY KEY (attempt_id, number)
) STRICT, WITHOUT ROWID;
