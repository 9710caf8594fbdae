-- What an agent may read and write.
CREATE TABLE policies (
    name  TEXT PRIMARY KEY, -- of the agent, folded
    parts TEXT NOT NULL -- JSON
);

-- What policies refused.
CREATE TABLE breaches (
    journal_id INTEGER PRIMARY KEY, -- the entry that says so
    agent      TEXT NOT NULL,
    policy     TEXT NOT NULL,
    code       TEXT NOT NULL,
    store      TEXT NOT NULL
);

-- What stores say of policies themselves; those that were read before are read again for it.
ALTER TABLE side_records ADD COLUMN data TEXT NOT NULL DEFAULT '';
DELETE FROM units WHERE store_id IN (SELECT id FROM stores WHERE format = 'minions');
UPDATE stores SET stamp = '' WHERE format = 'minions';
CREATE INDEX side_records_stated ON side_records (store_id) WHERE data <> '';
