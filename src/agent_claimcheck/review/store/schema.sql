-- The store of one set of inputs: results, trace texts and the queue. Version 2.
-- Everything in it can be made again from the inputs and the reviews file.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    trace_id TEXT NOT NULL UNIQUE,
    verdict TEXT NOT NULL,
    record TEXT NOT NULL,
    domain TEXT NOT NULL,
    source TEXT NOT NULL,
    language TEXT NOT NULL,
    detector TEXT NOT NULL,
    p REAL,
    order_p REAL,
    margin REAL GENERATED ALWAYS AS
        (CASE WHEN p IS NULL AND verdict = 'skipped' THEN 1 ELSE abs(coalesce(order_p, 0.5) - 0.5) END) VIRTUAL,
    low REAL GENERATED ALWAYS AS (coalesce(p, 2)) VIRTUAL,
    high REAL GENERATED ALWAYS AS (coalesce(p, -1)) VIRTUAL,
    turn INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    why TEXT NOT NULL,
    asked TEXT NOT NULL,
    claims INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    -- open: in the queue; settled: decided by the evidence; reviewed: decided by a person
    status TEXT NOT NULL,
    is_judged INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX by_margin ON items (status, margin, id);
CREATE INDEX by_verdict ON items (status, verdict, margin, id);
CREATE INDEX by_turn ON items (status, turn, margin, id);
CREATE INDEX all_by_margin ON items (margin, id);
CREATE INDEX all_by_turn ON items (turn, margin, id);
CREATE INDEX all_by_low ON items (low, id);
CREATE INDEX all_by_high ON items (high, id);
CREATE INDEX all_by_time ON items (started_at, id);

-- What an item has several of: finding ids, claim types, tools.
CREATE TABLE facets (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (kind, value, item)
) WITHOUT ROWID;
CREATE INDEX facets_of_item ON facets (item);

-- How many items have a value, kept while items are written, so that nothing has to be counted.
CREATE TABLE counters (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (kind, value)
) WITHOUT ROWID;

-- Items of one kind (same record, findings and claim types) take turns when sorted by what teaches most.
CREATE TABLE kinds (kind TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE texts (id INTEGER PRIMARY KEY, trace BLOB, result BLOB NOT NULL, label BLOB);

-- Words of the traces; the texts themselves are in "texts".
CREATE VIRTUAL TABLE words USING fts5 (body, content = '', tokenize = "unicode61 remove_diacritics 2");

-- Results of a results file that wait for their traces.
CREATE TABLE given (trace_id TEXT PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID;

-- Decisions in the order in which they stand in the reviews file.
CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY,
    trace_id TEXT NOT NULL,
    decision TEXT NOT NULL,
    record BLOB NOT NULL
);
CREATE INDEX decisions_of_trace ON decisions (trace_id, seq);

CREATE TRIGGER item_added AFTER INSERT ON items BEGIN
    INSERT INTO counters VALUES ('verdict', new.verdict, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('record', new.record, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('domain', new.domain, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('source', new.source, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('language', new.language, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('detector', new.detector, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('status', new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('overview', new.verdict || ' ' || new.domain, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER item_changed AFTER UPDATE OF verdict, record, detector, status ON items BEGIN
    UPDATE counters SET n = n - 1 WHERE kind = 'verdict' AND value = old.verdict;
    UPDATE counters SET n = n - 1 WHERE kind = 'record' AND value = old.record;
    UPDATE counters SET n = n - 1 WHERE kind = 'detector' AND value = old.detector;
    UPDATE counters SET n = n - 1 WHERE kind = 'status' AND value = old.status;
    UPDATE counters SET n = n - 1 WHERE kind = 'overview' AND value = old.verdict || ' ' || old.domain;
    INSERT INTO counters VALUES ('verdict', new.verdict, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('record', new.record, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('detector', new.detector, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('status', new.status, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    INSERT INTO counters VALUES ('overview', new.verdict || ' ' || new.domain, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER facet_added AFTER INSERT ON facets BEGIN
    INSERT INTO counters VALUES (new.kind, new.value, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER facet_removed AFTER DELETE ON facets BEGIN
    UPDATE counters SET n = n - 1 WHERE kind = old.kind AND value = old.value;
END;
