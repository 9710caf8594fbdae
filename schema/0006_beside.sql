-- What stands beside memories in their stores, and the relations that memtui keeps itself.
ALTER TABLE relations ADD COLUMN body TEXT NOT NULL DEFAULT ''; -- a text of its own (an edge's description)

-- Reinforcements, adaptations, lines of history: shown with the memories that they are about.
CREATE TABLE asides (
    id       INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    unit     TEXT NOT NULL,
    kind     TEXT NOT NULL,
    about    TEXT NOT NULL, -- a memory's anchor, or with `via` the value of that field of memories
    via      TEXT NOT NULL DEFAULT '',
    words    TEXT NOT NULL,
    at       REAL
);

CREATE INDEX asides_about ON asides (store_id, via, about);
CREATE INDEX asides_unit ON asides (store_id, unit);

-- A relation that its store cannot hold stands with the memory that it leads from, as JSON; by name
-- of the other memory's uid it is found from there, too.
ALTER TABLE memories ADD COLUMN ties TEXT NOT NULL DEFAULT '[]';

CREATE TABLE ties (
    source_id INTEGER NOT NULL REFERENCES memories (id),
    target    TEXT NOT NULL, -- a uid
    kind      TEXT NOT NULL,
    strength  REAL,
    context   TEXT NOT NULL DEFAULT '',
    body      TEXT NOT NULL DEFAULT ''
);

CREATE INDEX ties_source ON ties (source_id);
CREATE INDEX ties_target ON ties (target);

CREATE TRIGGER memories_ties AFTER UPDATE OF ties ON memories WHEN old.ties <> new.ties BEGIN
    DELETE FROM ties WHERE source_id = new.id;
    INSERT INTO ties (source_id, target, kind, strength, context, body)
    SELECT new.id, value ->> 'to', value ->> 'kind', value ->> 'strength',
           coalesce(value ->> 'context', ''), coalesce(value ->> 'body', '')
    FROM json_each(new.ties);
END;

CREATE TRIGGER memories_ties_made AFTER INSERT ON memories WHEN new.ties <> '[]' BEGIN
    INSERT INTO ties (source_id, target, kind, strength, context, body)
    SELECT new.id, value ->> 'to', value ->> 'kind', value ->> 'strength',
           coalesce(value ->> 'context', ''), coalesce(value ->> 'body', '')
    FROM json_each(new.ties);
END;

CREATE TRIGGER memories_ties_gone AFTER DELETE ON memories BEGIN
    DELETE FROM ties WHERE source_id = old.id;
END;
