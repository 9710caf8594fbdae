-- What an agent may read and write: its name, folded, and the parts as JSON.
CREATE TABLE policies (name TEXT PRIMARY KEY, parts TEXT NOT NULL) WITHOUT ROWID;

-- What policies refused, each with the journal's entry about it.
CREATE TABLE breaches (
    journal_id INTEGER PRIMARY KEY, agent TEXT NOT NULL, policy TEXT NOT NULL, code TEXT NOT NULL, store TEXT NOT NULL
);

-- What stores say of policies themselves; those that were read before are read again for it.
ALTER TABLE side_records ADD COLUMN data TEXT NOT NULL DEFAULT '';
DELETE FROM units WHERE store_id IN (SELECT id FROM stores WHERE format = 'minions');
UPDATE stores SET stamp = '' WHERE format = 'minions';
CREATE INDEX side_records_stated ON side_records (store_id) WHERE data <> '';
