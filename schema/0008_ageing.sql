-- Up to when decay was run in a store: what fell due before is not owed again. A line that was taken
-- back, or a memory of it that was refused, counts as not run.
CREATE TABLE ageing (
    id       INTEGER PRIMARY KEY,
    store_id INTEGER NOT NULL REFERENCES stores (id),
    line     INTEGER REFERENCES journal (id), -- NULL where nothing was due
    at       REAL NOT NULL -- Unix seconds, as the run was told
);

CREATE INDEX ageing_store ON ageing (store_id, at);
CREATE INDEX ageing_line ON ageing (line);
