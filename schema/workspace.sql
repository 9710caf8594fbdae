-- The schema of a new workspace: what all migrations together make of an empty file, in one step (each rename in a
-- migration reads the whole schema again). A migration changes this file, too; a test compares the two.

CREATE TABLE stores (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    format      TEXT NOT NULL,
    path        TEXT NOT NULL,
    attached_at REAL NOT NULL,
    detached_at REAL,
    pulled_at   REAL,
    epoch       INTEGER NOT NULL DEFAULT 0, -- rises with each write and pull; a pull that overlaps one starts again
    error       TEXT NOT NULL DEFAULT '',
    findings    TEXT NOT NULL DEFAULT '[]',
    stamp       TEXT NOT NULL DEFAULT '',
    locked      INTEGER NOT NULL DEFAULT 0,
    changed_at  REAL,
    error_code  TEXT NOT NULL DEFAULT ''
);

CREATE TABLE memories (
    id                INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: the journal refers to it
    uid               TEXT NOT NULL UNIQUE,
    store_id          INTEGER NOT NULL REFERENCES stores (id),
    ref               TEXT, -- identity in the store; NULL while it is in none
    anchor            TEXT NOT NULL DEFAULT '', -- the name that the store's relations refer to
    place             TEXT NOT NULL DEFAULT '',
    digest            TEXT NOT NULL DEFAULT '', -- of the record as last pulled
    kept              TEXT NOT NULL DEFAULT '{}', -- JSON: fields that the format cannot hold
    moved             INTEGER, -- the journal item whose plan took it out of its store
    seen_at           REAL NOT NULL, -- when memtui first saw it
    removed_at        REAL, -- removed from the store by another program
    shown             INTEGER NOT NULL DEFAULT 1, -- 0 while its store is detached
    owner             TEXT,
    scope             TEXT,
    session_id        TEXT,
    kind              TEXT NOT NULL DEFAULT 'item',
    category          TEXT,
    key               TEXT,
    subject           TEXT,
    title             TEXT,
    content           TEXT NOT NULL DEFAULT '',
    value             TEXT, -- JSON
    note              TEXT,
    snoozed_until     REAL,
    tags              TEXT NOT NULL DEFAULT '[]', -- JSON
    importance        REAL,
    confidence        REAL,
    status            TEXT NOT NULL DEFAULT 'confirmed',
    pinned            INTEGER NOT NULL DEFAULT 0,
    pinned_by         TEXT,
    pinned_why        TEXT,
    tier              TEXT,
    heat              TEXT,
    times_used        INTEGER NOT NULL DEFAULT 0,
    times_confirmed   INTEGER NOT NULL DEFAULT 0,
    promotion_count   INTEGER NOT NULL DEFAULT 0,
    source_type       TEXT,
    source_ref        TEXT,
    source_excerpt    TEXT,
    company_id        TEXT,
    event_time        REAL,
    valid_from        REAL,
    valid_to          REAL,
    expires_at        REAL,
    created_at        REAL,
    updated_at        REAL,
    last_used_at      REAL,
    last_confirmed_at REAL,
    superseded_by     TEXT,
    steps             TEXT NOT NULL DEFAULT '[]', -- JSON
    preconditions     TEXT NOT NULL DEFAULT '[]', -- JSON
    postconditions    TEXT NOT NULL DEFAULT '[]', -- JSON
    key_facts         TEXT NOT NULL DEFAULT '[]', -- JSON
    tone              TEXT,
    token_count       INTEGER,
    extra             TEXT NOT NULL DEFAULT '{}', -- JSON
    live              INTEGER GENERATED ALWAYS AS (
        shown AND removed_at IS NULL AND status IN ('candidate', 'pending', 'confirmed', 'applied')
    ) STORED,
    recency           REAL GENERATED ALWAYS AS (coalesce(updated_at, created_at, seen_at)) STORED,
    unit              TEXT NOT NULL DEFAULT '',
    hash              INTEGER,
    ties              TEXT NOT NULL DEFAULT '[]'
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
    context  TEXT NOT NULL DEFAULT '',
    unit     TEXT NOT NULL DEFAULT '',
    body     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX relations_source ON relations (store_id, source);
CREATE INDEX relations_target ON relations (store_id, target);

CREATE VIRTUAL TABLE words USING fts5(
    title, key, subject, content, tags, source_ref,
    content='memories', content_rowid='id', prefix='1 2 3', tokenize="unicode61 remove_diacritics 2"
);

CREATE TABLE journal (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      REAL NOT NULL,
    actor   TEXT NOT NULL, -- person, agent:NAME, rule:NAME, sync:STORE
    kind    TEXT NOT NULL,
    summary TEXT NOT NULL,
    undoes  INTEGER REFERENCES journal (id),
    tool    TEXT NOT NULL DEFAULT '', -- of an agent's call: memory_store, hook:stop
    session TEXT NOT NULL DEFAULT '' -- of that agent
);
CREATE INDEX journal_undoes ON journal (undoes);

CREATE TABLE journal_items (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    journal_id INTEGER NOT NULL REFERENCES journal (id),
    memory_id  INTEGER NOT NULL,
    uid        TEXT NOT NULL,
    store_id   INTEGER NOT NULL,
    fields     TEXT NOT NULL, -- JSON: field → [digest before, digest after]
    pair       INTEGER
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

CREATE TABLE item_states (
    item_id        INTEGER PRIMARY KEY REFERENCES journal_items (id),
    state          TEXT NOT NULL, -- intended, done, refused, failed
    why            TEXT NOT NULL DEFAULT '',
    undone_by      INTEGER, -- journal.id
    effective_item INTEGER -- whose plan is in effect: after a redo, the redo's
);

CREATE TABLE outbox (
    item_id  INTEGER PRIMARY KEY REFERENCES journal_items (id),
    store_id INTEGER NOT NULL REFERENCES stores (id),
    plan     TEXT, -- JSON, the format's own
    state    TEXT NOT NULL, -- intended, done, refused, failed
    lease    TEXT NOT NULL, -- of the process that writes
    token    TEXT NOT NULL -- in the names of this write's temporary files
);
CREATE INDEX outbox_intended ON outbox (state) WHERE state = 'intended';

CREATE TABLE units (
    store_id INTEGER NOT NULL REFERENCES stores (id),
    name     TEXT NOT NULL,
    mark     TEXT NOT NULL, -- unchanged while the unit is
    PRIMARY KEY (store_id, name)
) WITHOUT ROWID;
CREATE INDEX memories_unit ON memories (store_id, unit);
CREATE INDEX memories_pinned ON memories (recency DESC, id DESC) WHERE pinned = 1;
CREATE INDEX memories_gone ON memories (store_id) WHERE removed_at IS NOT NULL OR shown = 0;
CREATE INDEX relations_unit ON relations (store_id, unit);

CREATE TABLE checkpoints (
    name     TEXT PRIMARY KEY,
    entry_id INTEGER NOT NULL,
    at       REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE embedding_model (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    name       TEXT NOT NULL,
    dim        INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0 -- rises with each batch, so that caches can catch up
);

CREATE TABLE vectors (
    memory_id INTEGER PRIMARY KEY,
    vector    BLOB NOT NULL -- little-endian float32, normalized
);

CREATE TABLE vector_bits (
    memory_id  INTEGER PRIMARY KEY,
    generation INTEGER NOT NULL,
    bits       BLOB NOT NULL
);
CREATE INDEX vector_bits_turn ON vector_bits (generation);

CREATE TABLE embedding_queue (
    memory_id INTEGER PRIMARY KEY,
    tries     INTEGER NOT NULL DEFAULT 0, -- failed attempts
    due       REAL NOT NULL DEFAULT 0, -- Unix seconds of the next attempt
    why       TEXT NOT NULL DEFAULT ''
);
CREATE INDEX unembedded_due ON embedding_queue (due, memory_id DESC);

CREATE TRIGGER meaning_insert AFTER INSERT ON memories WHEN new.content <> '' BEGIN
    INSERT OR IGNORE INTO embedding_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER meaning_delete AFTER DELETE ON memories BEGIN
    DELETE FROM vectors WHERE memory_id = old.id;
    DELETE FROM vector_bits WHERE memory_id = old.id;
    DELETE FROM embedding_queue WHERE memory_id = old.id;
END;

CREATE TRIGGER meaning_update AFTER UPDATE OF title, subject, content ON memories
WHEN new.content IS NOT old.content OR new.title IS NOT old.title OR new.subject IS NOT old.subject
BEGIN
    DELETE FROM vectors WHERE memory_id = old.id;
    DELETE FROM vector_bits WHERE memory_id = old.id;
    DELETE FROM embedding_queue WHERE memory_id = old.id;
    INSERT INTO embedding_queue (memory_id) SELECT new.id WHERE new.content <> '';
END;

CREATE TABLE recall_log (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       REAL NOT NULL,
    actor    TEXT NOT NULL,
    text     TEXT NOT NULL,
    strategy TEXT NOT NULL, -- keyword, semantic, hybrid
    how      TEXT NOT NULL, -- the strategy that was used
    results  TEXT NOT NULL, -- JSON: memory ids, best first
    seconds  REAL NOT NULL,
    tool     TEXT NOT NULL DEFAULT '', -- as in the journal
    session  TEXT NOT NULL DEFAULT ''
);

CREATE TABLE saved_searches (
    name  TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    sort  TEXT NOT NULL DEFAULT '',
    at    REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE side_records (
    id       INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    unit     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    about    TEXT NOT NULL, -- a memory's anchor, or with `via` the value of that field of memories
    via      TEXT NOT NULL DEFAULT '',
    words    TEXT NOT NULL,
    at       REAL,
    other    TEXT NOT NULL DEFAULT '',
    settled  INTEGER NOT NULL DEFAULT 0,
    data     TEXT NOT NULL DEFAULT ''
);
CREATE INDEX asides_about ON side_records (store_id, via, about);
CREATE INDEX asides_unit ON side_records (store_id, unit);

CREATE TABLE local_relations (
    source_id INTEGER NOT NULL REFERENCES memories (id),
    target    TEXT NOT NULL, -- a uid
    kind      TEXT NOT NULL,
    strength  REAL,
    context   TEXT NOT NULL DEFAULT '',
    body      TEXT NOT NULL DEFAULT ''
);
CREATE INDEX ties_source ON local_relations (source_id);
CREATE INDEX ties_target ON local_relations (target);

CREATE TRIGGER memories_ties AFTER UPDATE OF ties ON memories WHEN old.ties <> new.ties BEGIN
    DELETE FROM local_relations WHERE source_id = new.id;
    INSERT INTO local_relations (source_id, target, kind, strength, context, body)
    SELECT new.id, value ->> 'to', value ->> 'kind', value ->> 'strength',
           coalesce(value ->> 'context', ''), coalesce(value ->> 'body', '')
    FROM json_each(new.ties);
END;

CREATE TRIGGER memories_ties_made AFTER INSERT ON memories WHEN new.ties <> '[]' BEGIN
    INSERT INTO local_relations (source_id, target, kind, strength, context, body)
    SELECT new.id, value ->> 'to', value ->> 'kind', value ->> 'strength',
           coalesce(value ->> 'context', ''), coalesce(value ->> 'body', '')
    FROM json_each(new.ties);
END;

CREATE TRIGGER memories_ties_gone AFTER DELETE ON memories BEGIN
    DELETE FROM local_relations WHERE source_id = old.id;
END;

CREATE TABLE decay_runs (
    id       INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    entry_id INTEGER REFERENCES journal (id), -- NULL if nothing was due
    at       REAL NOT NULL -- Unix seconds, from the caller's clock
);
CREATE INDEX ageing_store ON decay_runs (store_id, at);
CREATE INDEX ageing_line ON decay_runs (entry_id);

CREATE TABLE pairs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    a          INTEGER NOT NULL, -- memories.id, a < b
    b          INTEGER NOT NULL,
    family     TEXT NOT NULL, -- contradiction, duplicate
    kind       TEXT NOT NULL, -- the detector's; of duplicates exact, near, maybe
    score      REAL NOT NULL,
    words_a    TEXT NOT NULL DEFAULT '',
    words_b    TEXT NOT NULL DEFAULT '',
    reason     TEXT NOT NULL DEFAULT '',
    topic      TEXT NOT NULL DEFAULT '', -- the attribute that is assumed to have one value
    digest_a   TEXT NOT NULL, -- digests of the two texts when it was found
    digest_b   TEXT NOT NULL,
    found_at   REAL NOT NULL,
    is_current INTEGER NOT NULL DEFAULT 1, -- 0: scanned again and no longer found
    clause_a   TEXT NOT NULL DEFAULT '',
    clause_b   TEXT NOT NULL DEFAULT '',
    UNIQUE (a, b)
);
CREATE INDEX pairs_b ON pairs (b);

CREATE TABLE verdicts (
    id       INTEGER PRIMARY KEY,
    a        INTEGER NOT NULL,
    b        INTEGER NOT NULL,
    digest_a TEXT NOT NULL,
    digest_b TEXT NOT NULL,
    verdict  TEXT NOT NULL,
    note     TEXT NOT NULL DEFAULT '',
    at       REAL NOT NULL,
    actor    TEXT NOT NULL,
    until    REAL, -- of later
    topic    TEXT NOT NULL DEFAULT '', -- of "both true": may have several values from then on
    subject  TEXT NOT NULL DEFAULT '',
    entry_id INTEGER -- journal.id
);
CREATE INDEX verdicts_pair ON verdicts (a, b);
CREATE INDEX pairs_topic ON pairs (topic) WHERE topic <> '';

CREATE TABLE scan_queue (
    memory_id INTEGER PRIMARY KEY,
    revision  INTEGER NOT NULL DEFAULT (random())
);

CREATE TABLE scanned (
    memory_id   INTEGER PRIMARY KEY,
    fingerprint INTEGER
);
CREATE INDEX compared_gist ON scanned (fingerprint, memory_id);
CREATE INDEX memories_key ON memories (key, owner) WHERE live = 1 AND key <> '';
CREATE INDEX memories_subject ON memories (subject COLLATE NOCASE) WHERE live = 1 AND subject <> '';

CREATE TRIGGER pairs_insert AFTER INSERT ON memories WHEN new.live = 1 BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER pairs_update
AFTER UPDATE OF title, subject, content, key, owner, value, valid_from, valid_to, ties, status, removed_at, shown ON memories
WHEN (new.content, new.title, new.subject, new.key, new.owner, new.value, new.valid_from, new.valid_to, new.live)
    IS NOT (old.content, old.title, old.subject, old.key, old.owner, old.value, old.valid_from, old.valid_to, old.live)
    OR new.ties <> old.ties AND new.ties || old.ties LIKE '%contradict%'
BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER pairs_delete AFTER DELETE ON memories BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id)
    SELECT b FROM pairs WHERE a = old.id AND kind = 'exact' AND is_current
    UNION SELECT a FROM pairs WHERE b = old.id AND kind = 'exact' AND is_current;
    DELETE FROM pairs WHERE a = old.id OR b = old.id;
    DELETE FROM verdicts WHERE a = old.id OR b = old.id;
    DELETE FROM scan_queue WHERE memory_id = old.id;
    DELETE FROM scanned WHERE memory_id = old.id;
END;

CREATE TRIGGER pairs_vector AFTER INSERT ON vectors BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id) SELECT id FROM memories WHERE id = new.memory_id AND live = 1;
END;

CREATE TRIGGER pairs_related AFTER INSERT ON relations WHEN new.kind LIKE '%contradict%' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id)
    SELECT id FROM memories WHERE store_id = new.store_id AND anchor = new.source AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_unrelated AFTER DELETE ON relations WHEN old.kind LIKE '%contradict%' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id)
    SELECT id FROM memories WHERE store_id = old.store_id AND anchor = old.source AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_taught AFTER INSERT ON verdicts WHEN new.verdict = 'both-true' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id) SELECT a FROM pairs WHERE topic = new.topic AND topic <> '';
END;

CREATE TRIGGER pairs_untaught AFTER DELETE ON verdicts WHEN old.verdict = 'both-true' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id) SELECT a FROM pairs WHERE topic = old.topic AND topic <> '';
END;

CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_source ON memories (store_id, source_ref) WHERE source_ref IS NOT NULL;
CREATE INDEX journal_items_pair ON journal_items (pair) WHERE pair IS NOT NULL;

CREATE TABLE relation_overrides (
    store_id INTEGER NOT NULL REFERENCES stores (id),
    source   TEXT NOT NULL,
    kind     TEXT NOT NULL,
    target   TEXT NOT NULL,
    strength REAL,
    context  TEXT NOT NULL DEFAULT '',
    body     TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (store_id, source, kind, target)
) WITHOUT ROWID;
CREATE INDEX asides_other ON side_records (store_id, other) WHERE other <> '';

CREATE TRIGGER pairs_told AFTER INSERT ON side_records WHEN new.kind = 'contradiction' AND new.other <> '' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id)
    SELECT id FROM memories WHERE store_id = new.store_id AND anchor = new.about AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_untold AFTER DELETE ON side_records WHEN old.kind = 'contradiction' AND old.other <> '' BEGIN
    INSERT OR REPLACE INTO scan_queue (memory_id)
    SELECT id FROM memories WHERE store_id = old.store_id AND anchor = old.about AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER words_insert AFTER INSERT ON memories BEGIN
    INSERT INTO words (rowid, title, key, subject, content, tags, source_ref)
    VALUES (new.id, new.title, new.key, new.subject, new.content, new.tags, new.source_ref);
END;

CREATE TRIGGER words_delete AFTER DELETE ON memories BEGIN
    INSERT INTO words (words, rowid, title, key, subject, content, tags, source_ref)
    VALUES ('delete', old.id, old.title, old.key, old.subject, old.content, old.tags, old.source_ref);
END;

CREATE TRIGGER words_update AFTER UPDATE OF title, key, subject, content, tags, source_ref ON memories BEGIN
    INSERT INTO words (words, rowid, title, key, subject, content, tags, source_ref)
    VALUES ('delete', old.id, old.title, old.key, old.subject, old.content, old.tags, old.source_ref);
    INSERT INTO words (rowid, title, key, subject, content, tags, source_ref)
    VALUES (new.id, new.title, new.key, new.subject, new.content, new.tags, new.source_ref);
END;

CREATE TABLE view_state (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Memories whose texts are to be searched for secrets.
CREATE TABLE secret_queue (
    memory_id INTEGER PRIMARY KEY
);

-- Memories with a secret.
CREATE TABLE secrets (
    memory_id INTEGER PRIMARY KEY,
    kinds     TEXT NOT NULL, -- JSON: the kind of each secret, never the secret
    found_at  REAL NOT NULL
);

CREATE TRIGGER secrets_insert AFTER INSERT ON memories BEGIN
    INSERT OR IGNORE INTO secret_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER secrets_update
AFTER UPDATE OF title, key, subject, category, content, value, note, tags, source_ref, source_excerpt, steps,
    preconditions, postconditions, key_facts, tone, extra ON memories BEGIN
    INSERT OR IGNORE INTO secret_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER secrets_delete AFTER DELETE ON memories BEGIN
    DELETE FROM secret_queue WHERE memory_id = old.id;
    DELETE FROM secrets WHERE memory_id = old.id;
END;

-- What the doctor found in each store when it was examined last.
CREATE TABLE checkups (
    store_id INTEGER PRIMARY KEY REFERENCES stores (id),
    at       REAL NOT NULL,
    seconds  REAL NOT NULL, -- how long it took
    mark     TEXT NOT NULL, -- of the store's state; another one is examined again
    findings TEXT NOT NULL  -- JSON: code → what was found
);

-- Rules: a query, and what is done with the memories that match it.
CREATE TABLE rules (
    id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: the journal refers to it
    name     TEXT NOT NULL,
    position INTEGER NOT NULL,
    is_on    INTEGER NOT NULL DEFAULT 0,
    query    TEXT NOT NULL,
    actions  TEXT NOT NULL, -- JSON: a list of texts, "tag=security"
    note     TEXT NOT NULL DEFAULT '',
    source   TEXT NOT NULL DEFAULT '' -- the project's file that it comes from, '' for a person's own
);

-- What rules hold now, by memory and action: they set it, and it goes when they go.
CREATE TABLE rule_settings (
    memory_id INTEGER NOT NULL,
    action    TEXT NOT NULL, -- its kind
    rule_id   INTEGER NOT NULL,
    rule      TEXT NOT NULL, -- its name
    done      TEXT NOT NULL, -- the whole action; '' while it is taken back
    item_id   INTEGER, -- of the journal, that set it or takes it back; NULL where nothing had to be written
    since     INTEGER NOT NULL, -- the journal's last item by then
    PRIMARY KEY (memory_id, action)
) WITHOUT ROWID;
CREATE INDEX rule_settings_rule ON rule_settings (rule_id);

-- What the columns that rules have set would be without them.
CREATE TABLE rule_bases (
    memory_id INTEGER PRIMARY KEY,
    columns   TEXT NOT NULL, -- JSON: column → [without rules, as the rules set it]; the item while it is written
    -- The same as columns, since every query looks at them: whether it is there, without rules, as the rules set it.
    pinned_set GENERATED ALWAYS AS (columns -> '$.pinned' IS NOT NULL) STORED,
    pinned_was GENERATED ALWAYS AS (columns ->> '$.pinned[0]') STORED,
    pinned_now GENERATED ALWAYS AS (columns ->> '$.pinned[1]') STORED,
    pinned_by_set GENERATED ALWAYS AS (columns -> '$.pinned_by' IS NOT NULL) STORED,
    pinned_by_was GENERATED ALWAYS AS (columns ->> '$.pinned_by[0]') STORED,
    pinned_by_now GENERATED ALWAYS AS (columns ->> '$.pinned_by[1]') STORED,
    pinned_why_set GENERATED ALWAYS AS (columns -> '$.pinned_why' IS NOT NULL) STORED,
    pinned_why_was GENERATED ALWAYS AS (columns ->> '$.pinned_why[0]') STORED,
    pinned_why_now GENERATED ALWAYS AS (columns ->> '$.pinned_why[1]') STORED,
    tags_set GENERATED ALWAYS AS (columns -> '$.tags' IS NOT NULL) STORED,
    tags_was GENERATED ALWAYS AS (columns ->> '$.tags[0]') STORED,
    tags_now GENERATED ALWAYS AS (columns ->> '$.tags[1]') STORED,
    scope_set GENERATED ALWAYS AS (columns -> '$.scope' IS NOT NULL) STORED,
    scope_was GENERATED ALWAYS AS (columns ->> '$.scope[0]') STORED,
    scope_now GENERATED ALWAYS AS (columns ->> '$.scope[1]') STORED,
    category_set GENERATED ALWAYS AS (columns -> '$.category' IS NOT NULL) STORED,
    category_was GENERATED ALWAYS AS (columns ->> '$.category[0]') STORED,
    category_now GENERATED ALWAYS AS (columns ->> '$.category[1]') STORED,
    importance_set GENERATED ALWAYS AS (columns -> '$.importance' IS NOT NULL) STORED,
    importance_was GENERATED ALWAYS AS (columns ->> '$.importance[0]') STORED,
    importance_now GENERATED ALWAYS AS (columns ->> '$.importance[1]') STORED,
    expires_at_set GENERATED ALWAYS AS (columns -> '$.expires_at' IS NOT NULL) STORED,
    expires_at_was GENERATED ALWAYS AS (columns ->> '$.expires_at[0]') STORED,
    expires_at_now GENERATED ALWAYS AS (columns ->> '$.expires_at[1]') STORED,
    updated_at_set GENERATED ALWAYS AS (columns -> '$.updated_at' IS NOT NULL) STORED,
    updated_at_was GENERATED ALWAYS AS (columns ->> '$.updated_at[0]') STORED,
    updated_at_now GENERATED ALWAYS AS (columns ->> '$.updated_at[1]') STORED
);

-- What a rule does not do again with a memory: an act that was done, or what a person changed since.
CREATE TABLE rule_exceptions (
    memory_id INTEGER NOT NULL,
    rule_id   INTEGER NOT NULL,
    action    TEXT NOT NULL,
    item_id   INTEGER, -- of the journal: the act, or the change; what that undid, undone, is held again
    held      TEXT, -- JSON: what was held, where it may be held again
    PRIMARY KEY (memory_id, rule_id, action)
) WITHOUT ROWID;

-- Memories that rules are to be applied to; `turn` counts how often they changed since they are here.
CREATE TABLE rule_queue (
    memory_id INTEGER PRIMARY KEY,
    turn      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX rules_on ON rules (is_on) WHERE is_on = 1; -- a look into it is all that a write costs without rules

CREATE TRIGGER rules_insert AFTER INSERT ON memories WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1) BEGIN
    INSERT INTO rule_queue (memory_id) VALUES (new.id) ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1;
END;

CREATE TRIGGER rules_update AFTER UPDATE ON memories
WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1)
OR EXISTS (SELECT 1 FROM rule_settings WHERE memory_id = new.id) BEGIN
    INSERT INTO rule_queue (memory_id) VALUES (new.id) ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1;
END;

CREATE TRIGGER rules_delete AFTER DELETE ON memories BEGIN
    DELETE FROM rule_queue WHERE memory_id = old.id;
    DELETE FROM rule_settings WHERE memory_id = old.id;
    DELETE FROM rule_bases WHERE memory_id = old.id;
    DELETE FROM rule_exceptions WHERE memory_id = old.id;
END;

-- What policies refused, each with the journal's entry about it.
CREATE TABLE breaches (
    journal_id INTEGER PRIMARY KEY, agent TEXT NOT NULL, policy TEXT NOT NULL, code TEXT NOT NULL, store TEXT NOT NULL
);

CREATE INDEX side_records_stated ON side_records (store_id) WHERE data <> '';

-- What an agent may read and write: its name, folded, the project's file that says it ('' for a person), and the
-- parts as JSON.
CREATE TABLE policies (
    name   TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    parts  TEXT NOT NULL,
    PRIMARY KEY (name, source)
) WITHOUT ROWID;

-- Files of projects that a person trusted: what their rules and policies are named after, the digest of the
-- bytes, when, and the rules that the file has switched on itself.
CREATE TABLE rule_files (
    path     TEXT PRIMARY KEY,
    project  TEXT NOT NULL,
    digest   TEXT NOT NULL,
    at       REAL NOT NULL,
    rules_on TEXT NOT NULL -- JSON: names, folded
) WITHOUT ROWID;

-- Entries of memtui in the settings files of agents: the client and the agent it speaks for, the entries, and what
-- is known of the file as it was written: the digests of its bytes before (NULL: no file) and after, what was
-- inserted where, and the folders that were made for it. No other content of the file is kept.
CREATE TABLE connections (
    file     TEXT PRIMARY KEY,
    client   TEXT NOT NULL,
    agent    TEXT NOT NULL,
    entries  TEXT NOT NULL, -- JSON: {"syntax", "insertions": [[path, value]]}
    before   TEXT,
    after    TEXT NOT NULL,
    inserted TEXT NOT NULL, -- JSON: {"pieces": [[at, text]], "made": [path]}
    folders  TEXT NOT NULL, -- JSON: paths
    at       REAL NOT NULL
) WITHOUT ROWID;
