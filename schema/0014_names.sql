-- The field's usual names for tables and columns. SQLite carries indexes and triggers along; they keep their names.

-- A rename opens every table that a trigger writes to. A damaged words index cannot be opened, which must not
-- keep a workspace from opening: it is rebuilt later. So its triggers are away meanwhile.
DROP TRIGGER IF EXISTS words_insert;
DROP TRIGGER IF EXISTS words_delete;
DROP TRIGGER IF EXISTS words_update;

ALTER TABLE asides RENAME TO side_records;
ALTER TABLE ties RENAME TO local_relations; -- relations that only memtui keeps
ALTER TABLE relation_notes RENAME TO relation_overrides;
ALTER TABLE looked RENAME TO checkpoints; -- how far something was read, by name
ALTER TABLE ageing RENAME TO decay_runs;
ALTER TABLE standings RENAME TO item_states;
ALTER TABLE unembedded RENAME TO embedding_queue;
ALTER TABLE unscanned RENAME TO scan_queue;
ALTER TABLE compared RENAME TO scanned;
ALTER TABLE model RENAME TO embedding_model;
ALTER TABLE saved RENAME TO saved_searches;
ALTER TABLE queries RENAME TO recall_log;

ALTER TABLE checkpoints RENAME COLUMN line TO entry_id;
ALTER TABLE decay_runs RENAME COLUMN line TO entry_id;
ALTER TABLE verdicts RENAME COLUMN line TO entry_id;
ALTER TABLE item_states RENAME COLUMN carried_by TO effective_item; -- whose plan is in effect: after a redo, the redo's
ALTER TABLE pairs RENAME COLUMN said_a TO digest_a;
ALTER TABLE pairs RENAME COLUMN said_b TO digest_b;
ALTER TABLE pairs RENAME COLUMN stands TO is_current; -- 0: scanned again and no longer found
ALTER TABLE verdicts RENAME COLUMN said_a TO digest_a;
ALTER TABLE verdicts RENAME COLUMN said_b TO digest_b;
ALTER TABLE scan_queue RENAME COLUMN turn TO revision;
ALTER TABLE scanned RENAME COLUMN gist TO fingerprint;
ALTER TABLE embedding_model RENAME COLUMN turn TO generation;
ALTER TABLE vector_bits RENAME COLUMN turn TO generation;

-- What kind of error a store has, in addition to the sentence that is shown.
ALTER TABLE stores ADD COLUMN error_code TEXT NOT NULL DEFAULT '';

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
