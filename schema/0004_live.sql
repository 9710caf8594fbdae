-- Stores that are watched: what of a store changed since it was last read, and what a person saw of it.
ALTER TABLE stores ADD COLUMN stamp TEXT NOT NULL DEFAULT ''; -- the store's own as last pulled; '' is never the same
ALTER TABLE stores ADD COLUMN locked INTEGER NOT NULL DEFAULT 0; -- read-only by a person's word
ALTER TABLE stores ADD COLUMN changed_at REAL; -- when news last came from it

-- A unit is a part of a store that can be read alone: a file, a line, a block of rows.
CREATE TABLE units (
    store_id INTEGER NOT NULL REFERENCES stores (id),
    name     TEXT NOT NULL,
    mark     TEXT NOT NULL, -- the same while the unit says the same
    PRIMARY KEY (store_id, name)
) WITHOUT ROWID;

ALTER TABLE memories ADD COLUMN unit TEXT NOT NULL DEFAULT ''; -- where it was read
ALTER TABLE memories ADD COLUMN hash INTEGER; -- over the texts of this row: a flipped byte shows; NULL is unknown
ALTER TABLE relations ADD COLUMN unit TEXT NOT NULL DEFAULT '';

CREATE INDEX memories_unit ON memories (store_id, unit);
CREATE INDEX memories_pinned ON memories (recency DESC, id DESC) WHERE pinned = 1;
CREATE INDEX memories_gone ON memories (store_id) WHERE removed_at IS NOT NULL OR shown = 0; -- few: what is left out of counts
CREATE INDEX relations_unit ON relations (store_id, unit);

-- What a person looked at, by name ("journal": the last line that was seen).
CREATE TABLE looked (
    name  TEXT PRIMARY KEY,
    line  INTEGER NOT NULL,
    at    REAL NOT NULL
) WITHOUT ROWID;
