-- The words index (S-30): external content, kept in step by triggers.
CREATE VIRTUAL TABLE words USING fts5(
    title, key, subject, content, tags, source_ref,
    content='memories', content_rowid='id', prefix='1 2 3', tokenize="unicode61 remove_diacritics 2"
);

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
