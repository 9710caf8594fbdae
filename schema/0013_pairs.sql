-- Memories are compared by stricter rules than before: all are looked at again.
DELETE FROM compared;
INSERT OR REPLACE INTO unscanned (memory_id) SELECT id FROM memories WHERE live = 1;
