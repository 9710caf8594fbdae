-- What a person says of a relation that its store tells but cannot say itself, by its ends' names there.
-- The rows of `relations` are what the store tells, overlaid with this.
CREATE TABLE relation_notes (
    store_id INTEGER NOT NULL REFERENCES stores (id),
    source   TEXT NOT NULL,
    kind     TEXT NOT NULL,
    target   TEXT NOT NULL,
    strength REAL,
    context  TEXT NOT NULL DEFAULT '',
    body     TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (store_id, source, kind, target)
) WITHOUT ROWID;
