-- Which call of an agent made an entry or asked a question: the tool or hook, and the session of the agent ("": not
-- known).
ALTER TABLE journal ADD COLUMN tool TEXT NOT NULL DEFAULT '';
ALTER TABLE journal ADD COLUMN session TEXT NOT NULL DEFAULT '';
ALTER TABLE recall_log ADD COLUMN tool TEXT NOT NULL DEFAULT '';
ALTER TABLE recall_log ADD COLUMN session TEXT NOT NULL DEFAULT '';
