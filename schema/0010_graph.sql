-- What replaced a memory and what it came from are walked from both ends.
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_source ON memories (store_id, source_ref) WHERE source_ref IS NOT NULL;

-- The two halves of a move find each other.
CREATE INDEX journal_items_pair ON journal_items (pair) WHERE pair IS NOT NULL;
