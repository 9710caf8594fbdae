-- What each memory says that clashes, whole: what a person reads first.
ALTER TABLE pairs ADD COLUMN clause_a TEXT NOT NULL DEFAULT '';
ALTER TABLE pairs ADD COLUMN clause_b TEXT NOT NULL DEFAULT '';

-- Memories are compared by other rules than before, and equal texts are only equal where they are told of the
-- same thing: all are looked at again.
DELETE FROM compared;
INSERT OR REPLACE INTO unscanned (memory_id) SELECT id FROM memories WHERE live = 1;

-- What a store says of a contradiction is heeded: whether it is settled, and since when it stands.
ALTER TABLE asides ADD COLUMN other TEXT NOT NULL DEFAULT ''; -- the anchor of the other memory
ALTER TABLE asides ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
CREATE INDEX asides_other ON asides (store_id, other) WHERE other <> '';

CREATE TRIGGER pairs_told AFTER INSERT ON asides WHEN new.kind = 'contradiction' AND new.other <> '' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id)
    SELECT id FROM memories WHERE store_id = new.store_id AND anchor = new.about AND anchor <> '' AND live = 1;
END;

CREATE TRIGGER pairs_untold AFTER DELETE ON asides WHEN old.kind = 'contradiction' AND old.other <> '' BEGIN
    INSERT OR REPLACE INTO unscanned (memory_id)
    SELECT id FROM memories WHERE store_id = old.store_id AND anchor = old.about AND anchor <> '' AND live = 1;
END;

-- So that all stores are read again, unchanged ones too.
DELETE FROM units;
UPDATE stores SET stamp = '';
