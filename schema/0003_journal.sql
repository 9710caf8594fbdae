-- What was changed, by whom (S-50). Lines and items are append-only and hold digests; the
-- texts lie in bodies and outbox, which purge and redact can erase.
CREATE TABLE journal (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      REAL NOT NULL,
    actor   TEXT NOT NULL, -- person, agent:NAME, rule:NAME, sync:STORE
    kind    TEXT NOT NULL,
    summary TEXT NOT NULL,
    undoes  INTEGER REFERENCES journal (id)
);

CREATE INDEX journal_undoes ON journal (undoes);

CREATE TABLE journal_items (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    journal_id INTEGER NOT NULL REFERENCES journal (id),
    memory_id  INTEGER NOT NULL,
    uid        TEXT NOT NULL,
    store_id   INTEGER NOT NULL,
    fields     TEXT NOT NULL -- JSON: field → [digest before, digest after]
);

CREATE INDEX journal_items_line ON journal_items (journal_id);
CREATE INDEX journal_items_memory ON journal_items (memory_id);

CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_no_delete BEFORE DELETE ON journal BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER items_no_update BEFORE UPDATE ON journal_items BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER items_no_delete BEFORE DELETE ON journal_items BEGIN SELECT raise(ABORT, 'the journal is append-only'); END;

CREATE TABLE bodies (
    item_id INTEGER PRIMARY KEY REFERENCES journal_items (id),
    before  TEXT, -- JSON: field → value
    after   TEXT
);

-- How each item stands now: this changes, the journal does not.
CREATE TABLE standings (
    item_id    INTEGER PRIMARY KEY REFERENCES journal_items (id),
    state      TEXT NOT NULL, -- intended, done, refused, failed
    why        TEXT NOT NULL DEFAULT '',
    undone_by  INTEGER, -- journal line
    carried_by INTEGER -- the item whose plan is in effect (after a redo: the redo's)
);

-- Foreign writes (S-7): intended before, settled after.
CREATE TABLE outbox (
    item_id  INTEGER PRIMARY KEY REFERENCES journal_items (id),
    store_id INTEGER NOT NULL REFERENCES stores (id),
    plan     TEXT, -- JSON, the format's own
    state    TEXT NOT NULL, -- intended, done, refused, failed
    lease    TEXT NOT NULL, -- whose process it is
    token    TEXT NOT NULL -- names the hidden files of this write
);

CREATE INDEX outbox_intended ON outbox (state) WHERE state = 'intended';
