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

-- Memories that wait to be compared with the others.
CREATE TABLE unscanned (memory_id INTEGER PRIMARY KEY) WITHOUT ROWID;

INSERT INTO unscanned (memory_id) SELECT id FROM memories WHERE live = 1;

CREATE TRIGGER pairs_insert AFTER INSERT ON memories WHEN new.live = 1 BEGIN
    INSERT OR IGNORE INTO unscanned (memory_id) VALUES (new.id);
END;

CREATE TRIGGER pairs_update
AFTER UPDATE OF title, subject, content, key, owner, value, valid_from, valid_to, status, removed_at, shown ON memories
WHEN new.content IS NOT old.content OR new.title IS NOT old.title OR new.subject IS NOT old.subject
    OR new.key IS NOT old.key OR new.owner IS NOT old.owner OR new.value IS NOT old.value
    OR new.valid_from IS NOT old.valid_from OR new.valid_to IS NOT old.valid_to OR new.live IS NOT old.live
BEGIN
    INSERT OR IGNORE INTO unscanned (memory_id) VALUES (new.id);
END;

CREATE TRIGGER pairs_delete AFTER DELETE ON memories BEGIN
    DELETE FROM pairs WHERE a = old.id OR b = old.id;
    DELETE FROM verdicts WHERE a = old.id OR b = old.id;
    DELETE FROM unscanned WHERE memory_id = old.id;
END;
