-- What was moved stands twice in its line: as what came and as what left.
ALTER TABLE journal_items ADD COLUMN pair INTEGER; -- the item that came first
