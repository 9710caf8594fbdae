-- Pairs of memories that clash or say the same (SPEC 6), and what was said of them.
CREATE TABLE pairs (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    a        INTEGER NOT NULL, -- memories.id, a < b
    b        INTEGER NOT NULL,
    family   TEXT NOT NULL, -- contradiction, duplicate
    kind     TEXT NOT NULL, -- the detector's; exact, near, maybe
    score    REAL NOT NULL,
    words_a  TEXT NOT NULL DEFAULT '',
    words_b  TEXT NOT NULL DEFAULT '',
    reason   TEXT NOT NULL DEFAULT '',
    topic    TEXT NOT NULL DEFAULT '', -- the attribute that was taken to have one value
    said_a   TEXT NOT NULL, -- digests of what the two said when it was found
    said_b   TEXT NOT NULL,
    found_at REAL NOT NULL,
    stands   INTEGER NOT NULL DEFAULT 1, -- 0: looked at again, and found no more
    UNIQUE (a, b)
);

CREATE INDEX pairs_b ON pairs (b);

-- Verdicts hold while both memories say what they said. They come and go with their journal item.
CREATE TABLE verdicts (
    id      INTEGER PRIMARY KEY,
    a       INTEGER NOT NULL,
    b       INTEGER NOT NULL,
    said_a  TEXT NOT NULL,
    said_b  TEXT NOT NULL,
    verdict TEXT NOT NULL,
    note    TEXT NOT NULL DEFAULT '',
    at      REAL NOT NULL,
    actor   TEXT NOT NULL,
    until   REAL, -- of "later"
    topic   TEXT NOT NULL DEFAULT '', -- of "both true": may have several values from now on
    subject TEXT NOT NULL DEFAULT '',
    line    INTEGER -- journal
);

CREATE INDEX verdicts_pair ON verdicts (a, b);

-- "Both true" teaches which attributes may have several values, and taking it back unteaches it: where the
-- topic is the same, pairs are judged again.
CREATE INDEX pairs_topic ON pairs (topic) WHERE topic <> '';

-- Memories that wait to be compared with the others. `turn` tells whether one was queued anew while it was
-- being compared.
CREATE TABLE unscanned (
    memory_id INTEGER PRIMARY KEY,
    turn      INTEGER NOT NULL DEFAULT (random())
);

-- What was compared, with a mark that is the same for texts which say the same letter by letter.
CREATE TABLE compared (
    memory_id INTEGER PRIMARY KEY,
    gist      INTEGER
);

CREATE INDEX compared_gist ON compared (gist, memory_id);
CREATE INDEX memories_key ON memories (key, owner) WHERE live = 1 AND key <> '';
CREATE INDEX memories_subject ON memories (subject COLLATE NOCASE) WHERE live = 1 AND subject <> '';

INSERT INTO unscanned (memory_id) SELECT id FROM memories WHERE live = 1;

-- Queued anew, a memory has another turn. A relation that memtui keeps is one of its ties.
CREATE TRIGGER pairs_insert AFTER INSERT ON memories WHEN new.live = 1 BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id) VALUES (new.id);
END;

CREATE TRIGGER pairs_update
AFTER UPDATE OF title, subject, content, key, owner, value, valid_from, valid_to, ties, status, removed_at, shown ON memories
WHEN (new.content, new.title, new.subject, new.key, new.owner, new.value, new.valid_from, new.valid_to, new.live)
    IS NOT (old.content, old.title, old.subject, old.key, old.owner, old.value, old.valid_from, old.valid_to, old.live)
    OR new.ties <> old.ties AND new.ties || old.ties LIKE '%contradict%'
BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id) VALUES (new.id);
END;

-- What only said the same as one that goes looks for another one.
CREATE TRIGGER pairs_delete AFTER DELETE ON memories BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id)
    SELECT b FROM pairs WHERE a = old.id AND kind = 'exact' AND stands
    UNION SELECT a FROM pairs WHERE b = old.id AND kind = 'exact' AND stands;
    DELETE FROM pairs WHERE a = old.id OR b = old.id;
    DELETE FROM verdicts WHERE a = old.id OR b = old.id;
    DELETE FROM unscanned WHERE memory_id = old.id;
    DELETE FROM compared WHERE memory_id = old.id;
END;

-- What was compared by its words alone is looked at again once its vector has come.
CREATE TRIGGER pairs_vector AFTER INSERT ON vectors BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id) SELECT id FROM memories WHERE id = new.memory_id AND live = 1;
END;

-- A store's own word.
CREATE TRIGGER pairs_related AFTER INSERT ON relations WHEN new.kind LIKE '%contradict%' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id)
    SELECT id FROM memories WHERE store_id = new.store_id AND anchor = new.source AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_unrelated AFTER DELETE ON relations WHEN old.kind LIKE '%contradict%' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id)
    SELECT id FROM memories WHERE store_id = old.store_id AND anchor = old.source AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_taught AFTER INSERT ON verdicts WHEN new.verdict = 'both-true' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id) SELECT a FROM pairs WHERE topic = new.topic AND topic <> '';
END;

CREATE TRIGGER pairs_untaught AFTER DELETE ON verdicts WHEN old.verdict = 'both-true' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id) SELECT a FROM pairs WHERE topic = old.topic AND topic <> '';
END;
