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

INSERT INTO secret_queue (memory_id) SELECT id FROM memories;
