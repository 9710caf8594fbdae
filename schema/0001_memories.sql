-- The memories of all attached stores, and our own: one row each, mirrored.
CREATE TABLE stores (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    format      TEXT NOT NULL,
    path        TEXT NOT NULL,
    attached_at REAL NOT NULL,
    detached_at REAL,
    pulled_at   REAL,
    epoch       INTEGER NOT NULL DEFAULT 0, -- moves with each write and pull of ours; a pull that overlaps one starts again
    error       TEXT NOT NULL DEFAULT '',
    findings    TEXT NOT NULL DEFAULT '[]'
);

CREATE TABLE memories (
    id               INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: the journal remembers it
    uid              TEXT NOT NULL UNIQUE,
    store_id         INTEGER NOT NULL REFERENCES stores (id),
    ref              TEXT, -- identity inside the store; NULL while it stands nowhere
    anchor           TEXT NOT NULL DEFAULT '', -- the name by which the store's relations mean it
    place            TEXT NOT NULL DEFAULT '',
    digest           TEXT NOT NULL DEFAULT '', -- of the record as last pulled
    kept             TEXT NOT NULL DEFAULT '{}', -- JSON: fields that the format cannot hold
    moved            INTEGER, -- the journal item whose plan took it out of its store
    seen_at          REAL NOT NULL, -- when memtui first saw it
    removed_at       REAL, -- gone from the store by another hand
    shown            INTEGER NOT NULL DEFAULT 1, -- 0 while its store is detached
    owner            TEXT,
    scope            TEXT,
    session_id       TEXT,
    kind             TEXT NOT NULL DEFAULT 'item',
    category         TEXT,
    key              TEXT,
    subject          TEXT,
    title            TEXT,
    content          TEXT NOT NULL DEFAULT '',
    value            TEXT, -- JSON
    note             TEXT,
    snoozed_until    REAL,
    tags             TEXT NOT NULL DEFAULT '[]', -- JSON
    importance       REAL,
    confidence       REAL,
    status           TEXT NOT NULL DEFAULT 'confirmed',
    pinned           INTEGER NOT NULL DEFAULT 0,
    pinned_by        TEXT,
    pinned_why       TEXT,
    tier             TEXT,
    heat             TEXT,
    times_used       INTEGER NOT NULL DEFAULT 0,
    times_confirmed  INTEGER NOT NULL DEFAULT 0,
    promotion_count  INTEGER NOT NULL DEFAULT 0,
    source_type      TEXT,
    source_ref       TEXT,
    source_excerpt   TEXT,
    company_id       TEXT,
    event_time       REAL,
    valid_from       REAL,
    valid_to         REAL,
    expires_at       REAL,
    created_at       REAL,
    updated_at       REAL,
    last_used_at     REAL,
    last_confirmed_at REAL,
    superseded_by    TEXT,
    steps            TEXT NOT NULL DEFAULT '[]', -- JSON
    preconditions    TEXT NOT NULL DEFAULT '[]', -- JSON
    postconditions   TEXT NOT NULL DEFAULT '[]', -- JSON
    key_facts        TEXT NOT NULL DEFAULT '[]', -- JSON
    tone             TEXT,
    token_count      INTEGER,
    extra            TEXT NOT NULL DEFAULT '{}', -- JSON
    live             INTEGER GENERATED ALWAYS AS (
        shown AND removed_at IS NULL AND status IN ('candidate', 'pending', 'confirmed', 'applied')
    ) STORED,
    recency          REAL GENERATED ALWAYS AS (coalesce(updated_at, created_at, seen_at)) STORED
);

CREATE UNIQUE INDEX memories_ref ON memories (store_id, ref);
CREATE INDEX memories_anchor ON memories (store_id, anchor);
CREATE INDEX memories_live ON memories (live, recency DESC, id DESC);

CREATE TABLE relations (
    id       INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    source   TEXT NOT NULL,
    kind     TEXT NOT NULL,
    target   TEXT NOT NULL,
    strength REAL,
    context  TEXT NOT NULL DEFAULT ''
);

CREATE INDEX relations_source ON relations (store_id, source);
CREATE INDEX relations_target ON relations (store_id, target);
