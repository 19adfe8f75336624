-- Derived. Dropped and made anew whenever the program's version of this file differs; no fact lives here.

-- Series with their labels side by side.
CREATE VIEW series_wide AS
SELECT s.series_id AS series_id,
       max(CASE l.key WHEN 'library' THEN l.value END) AS library,
       max(CASE l.key WHEN 'version' THEN l.value END) AS version,
       max(CASE l.key WHEN 'config' THEN l.value END) AS config,
       max(CASE l.key WHEN 'profile' THEN l.value END) AS profile,
       max(CASE l.key WHEN 'optimisation' THEN l.value END) AS optimisation,
       max(CASE l.key WHEN 'toolchain' THEN l.value END) AS toolchain,
       max(CASE l.key WHEN 'platform' THEN l.value END) AS platform,
       max(CASE l.key WHEN 'instrument' THEN l.value END) AS instrument,
       max(CASE l.key WHEN 'benchmark' THEN l.value END) AS benchmark,
       max(CASE l.key WHEN 'block' THEN l.value END) AS block,
       max(CASE l.key WHEN 'threads' THEN l.value END) AS threads,
       max(CASE l.key WHEN 'engine' THEN l.value END) AS engine,
       max(CASE l.key WHEN 'async' THEN l.value END) AS async,
       max(CASE l.key WHEN 'metric' THEN l.value END) AS metric
FROM series_label AS s
JOIN label AS l ON l.id = s.label_id
GROUP BY s.series_id;

-- Builds with their labels side by side; of foreign ones any may be unknown.
CREATE VIEW build_wide AS
SELECT b.id AS build_id, b.state, b.reason, b.arch, b.revision, b.parent, b.compiler, b.configure_line,
       b.optimisation_effective, b.math, b.machine, b.code_sha256, b.key_library, b.key_program, b.seconds,
       max(CASE l.key WHEN 'library' THEN l.value END) AS library,
       max(CASE l.key WHEN 'version' THEN l.value END) AS version,
       max(CASE l.key WHEN 'config' THEN l.value END) AS config,
       max(CASE l.key WHEN 'profile' THEN l.value END) AS profile,
       max(CASE l.key WHEN 'optimisation' THEN l.value END) AS optimisation,
       max(CASE l.key WHEN 'toolchain' THEN l.value END) AS toolchain
FROM build AS b
LEFT JOIN build_label AS bl ON bl.build_id = b.id
LEFT JOIN label AS l ON l.id = bl.label_id
GROUP BY b.id;

-- What became of each benchmark in each attempt.
CREATE VIEW outcome AS
SELECT a.id AS attempt_id, o.benchmark, o.block, o.state, o.reason, o.digest, o.proof
FROM attempt AS a
JOIN outcome_line AS o ON o.list_id = a.outcome_list_id;

-- The last attempt at each cell, and the state of the cell that follows from it. The sizes of a build are no cell of the plan.
-- An import's cells are ok: that some of a document's numbers are quarantined is no failure of what was measured.
CREATE VIEW cell_state AS
SELECT c.id AS cell_id, c.run_id, c.name, c.agent, c.mode, b.state AS build_state, a.id AS attempt_id, a.state AS attempt_state,
       coalesce(a.reason, b.reason) AS reason,
       (SELECT count(*) FROM outcome AS o WHERE o.attempt_id = a.id AND o.state = 'ok') AS outcomes_ok,
       (SELECT count(*) FROM outcome AS o WHERE o.attempt_id = a.id AND o.state NOT IN ('ok', 'unavailable', 'skipped')) AS outcomes_failed,
       CASE
       WHEN b.state = 'excluded' THEN 'excluded'
       WHEN b.state <> 'ok' THEN 'failed'
       WHEN a.id IS NULL THEN 'pending'
       WHEN a.state = 'ok' AND NOT EXISTS (SELECT 1 FROM outcome AS o WHERE o.attempt_id = a.id
                                           AND o.state NOT IN ('ok', 'unavailable', 'skipped')) THEN 'ok'
       WHEN EXISTS (SELECT 1 FROM outcome AS o WHERE o.attempt_id = a.id AND o.state = 'ok') THEN 'partial'
       ELSE 'failed'
       END AS state
FROM cell AS c
JOIN build AS b ON b.id = c.build_id
LEFT JOIN attempt AS a ON a.cell_id = c.id
     AND a.number = (SELECT max(x.number) FROM attempt AS x WHERE x.cell_id = c.id)
WHERE c.instrument <> 'build';

-- Every figure in words: the view to start from in the sqlite3 shell. A value is in the unit that schema/metrics.def gives for its
-- metric (seconds, cycles, ticks, instructions, bytes), for one byte, one operation or the whole build as `per` says; it is the median where
-- that is known, else the mean, the best or the worst. `matrix` is NULL for what was imported. Times of day are UTC.
CREATE VIEW result AS
SELECT m.id AS measurement_id, r.uuid AS run, r.label AS run_label, r.matrix, datetime(a.started_at / 1000000000, 'unixepoch') AS time,
       w.library, w.version, w.config, w.profile, w.optimisation, w.toolchain, w.platform, w.instrument, w.benchmark, w.block,
       w.threads, w.engine, w.async, w.metric, coalesce(m.median, m.mean, m.minimum, m.maximum) AS value,
       CASE WHEN w.instrument = 'build' THEN 'build' WHEN w.block IS NOT NULL THEN 'byte'
            ELSE coalesce((SELECT x.work FROM reading AS x WHERE x.measurement_id = m.id LIMIT 1), 'operation') END AS per, m.n,
       CASE m.n WHEN 1 THEN m.median ELSE m.minimum END AS minimum, m.quartile_1, m.quartile_3,
       CASE m.n WHEN 1 THEN m.median ELSE m.maximum END AS maximum, CASE m.n WHEN 1 THEN m.median ELSE m.mean END AS mean, m.sd,
       CASE m.source WHEN 0 THEN 'own' WHEN 1 THEN 'imported' ELSE 'published' END AS source,
       CASE m.environment WHEN 0 THEN 'hardware' WHEN 1 THEN 'emulator' ELSE 'unknown' END AS environment,
       CASE m.kind WHEN 0 THEN 'sampled' WHEN 1 THEN 'exact' WHEN 2 THEN 'derived' ELSE 'stated' END AS kind,
       a.carried_from IS NOT NULL AS carried, b.arch, b.revision, b.compiler, d.name AS document, d.reference
FROM measurement AS m
JOIN series_wide AS w ON w.series_id = m.series_id
JOIN attempt AS a ON a.id = m.attempt_id
JOIN cell AS c ON c.id = a.cell_id
JOIN run AS r ON r.id = c.run_id
JOIN build AS b ON b.id = c.build_id
LEFT JOIN document AS d ON d.run_id = r.id;

-- What went wrong, newest first: each benchmark that failed, and each attempt or build that did with no benchmark to blame.
CREATE VIEW failure AS
SELECT r.uuid AS run, s.name AS cell, s.state, coalesce(o.benchmark || CASE o.block WHEN '' THEN '' ELSE ' ' || o.block END, '') AS benchmark,
       coalesce(o.state, CASE WHEN s.build_state <> 'ok' THEN s.build_state ELSE s.attempt_state END) AS what,
       coalesce(o.reason, s.reason) AS reason
FROM cell_state AS s
JOIN run AS r ON r.id = s.run_id
LEFT JOIN outcome AS o ON o.attempt_id = s.attempt_id AND o.state NOT IN ('ok', 'unavailable', 'skipped')
WHERE s.state IN ('failed', 'partial')
ORDER BY r.started_at DESC, s.name, o.benchmark;
