-- What memories mean, as a model sees it (S-30, S-35). Nothing here is a source: all of it can be made anew.

-- The model that made the vectors; another one starts anew.
CREATE TABLE model (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    name  TEXT NOT NULL,
    dim   INTEGER NOT NULL,
    turn  INTEGER NOT NULL DEFAULT 0 -- rises with each batch, so that what is held in memory can catch up
);

CREATE TABLE vectors (
    memory_id INTEGER PRIMARY KEY,
    vector    BLOB NOT NULL -- little-endian float32, of length 1 in all
);

-- One bit a number: what a search over very many looks at first.
CREATE TABLE vector_bits (
    memory_id INTEGER PRIMARY KEY,
    turn      INTEGER NOT NULL,
    bits      BLOB NOT NULL
);

CREATE INDEX vector_bits_turn ON vector_bits (turn);

-- Memories that wait for their vector.
CREATE TABLE unembedded (
    memory_id INTEGER PRIMARY KEY,
    tries     INTEGER NOT NULL DEFAULT 0, -- that failed
    due       REAL NOT NULL DEFAULT 0, -- Unix seconds; not before
    why       TEXT NOT NULL DEFAULT ''
);

-- What was written last is embedded first.
CREATE INDEX unembedded_due ON unembedded (due, memory_id DESC);

INSERT INTO unembedded (memory_id) SELECT id FROM memories WHERE content <> '';

CREATE TRIGGER meaning_insert AFTER INSERT ON memories WHEN new.content <> '' BEGIN
    INSERT OR IGNORE INTO unembedded (memory_id) VALUES (new.id);
END;

CREATE TRIGGER meaning_delete AFTER DELETE ON memories BEGIN
    DELETE FROM vectors WHERE memory_id = old.id;
    DELETE FROM vector_bits WHERE memory_id = old.id;
    DELETE FROM unembedded WHERE memory_id = old.id;
END;

-- A vector of what a memory no longer says is worse than none. Only what is embedded counts: use, pins and
-- statuses make nothing wait.
CREATE TRIGGER meaning_update AFTER UPDATE OF title, subject, content ON memories
WHEN new.content IS NOT old.content OR new.title IS NOT old.title OR new.subject IS NOT old.subject
BEGIN
    DELETE FROM vectors WHERE memory_id = old.id;
    DELETE FROM vector_bits WHERE memory_id = old.id;
    DELETE FROM unembedded WHERE memory_id = old.id;
    INSERT INTO unembedded (memory_id) SELECT new.id WHERE new.content <> '';
END;

-- What agents asked for, and what they were given (S-34).
CREATE TABLE queries (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    at       REAL NOT NULL,
    actor    TEXT NOT NULL,
    text     TEXT NOT NULL,
    strategy TEXT NOT NULL, -- keyword, semantic, hybrid
    how      TEXT NOT NULL, -- what it came to
    results  TEXT NOT NULL, -- JSON: memory ids, best first
    seconds  REAL NOT NULL
);

-- Searches that a person keeps (S-32).
CREATE TABLE saved (
    name  TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    sort  TEXT NOT NULL DEFAULT '',
    at    REAL NOT NULL
) WITHOUT ROWID;
