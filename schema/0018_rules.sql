-- Rules: a query, and what is done with the memories that match it.
CREATE TABLE rules (
    id       INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused: the journal refers to it
    name     TEXT NOT NULL,
    position INTEGER NOT NULL,
    is_on    INTEGER NOT NULL DEFAULT 0,
    query    TEXT NOT NULL,
    actions  TEXT NOT NULL, -- JSON: a list of texts, "tag=security"
    note     TEXT NOT NULL DEFAULT ''
);

-- What rules hold now, by memory and action: they set it, and it goes when they go.
CREATE TABLE rule_settings (
    memory_id INTEGER NOT NULL,
    action    TEXT NOT NULL, -- its kind
    rule_id   INTEGER NOT NULL,
    rule      TEXT NOT NULL, -- its name
    done      TEXT NOT NULL, -- the whole action; '' while it is taken back
    item_id   INTEGER, -- of the journal, that set it or takes it back; NULL where nothing had to be written
    since     INTEGER NOT NULL, -- the journal's last item by then
    PRIMARY KEY (memory_id, action)
) WITHOUT ROWID;
CREATE INDEX rule_settings_rule ON rule_settings (rule_id);

-- What the columns that rules have set would be without them.
CREATE TABLE rule_bases (
    memory_id INTEGER PRIMARY KEY,
    columns   TEXT NOT NULL, -- JSON: column → [without rules, as the rules set it]; the item while it is written
    -- The same as columns, since every query looks at them: whether it is there, without rules, as the rules set it.
    pinned_set GENERATED ALWAYS AS (columns -> '$.pinned' IS NOT NULL) STORED,
    pinned_was GENERATED ALWAYS AS (columns ->> '$.pinned[0]') STORED,
    pinned_now GENERATED ALWAYS AS (columns ->> '$.pinned[1]') STORED,
    pinned_by_set GENERATED ALWAYS AS (columns -> '$.pinned_by' IS NOT NULL) STORED,
    pinned_by_was GENERATED ALWAYS AS (columns ->> '$.pinned_by[0]') STORED,
    pinned_by_now GENERATED ALWAYS AS (columns ->> '$.pinned_by[1]') STORED,
    pinned_why_set GENERATED ALWAYS AS (columns -> '$.pinned_why' IS NOT NULL) STORED,
    pinned_why_was GENERATED ALWAYS AS (columns ->> '$.pinned_why[0]') STORED,
    pinned_why_now GENERATED ALWAYS AS (columns ->> '$.pinned_why[1]') STORED,
    tags_set GENERATED ALWAYS AS (columns -> '$.tags' IS NOT NULL) STORED,
    tags_was GENERATED ALWAYS AS (columns ->> '$.tags[0]') STORED,
    tags_now GENERATED ALWAYS AS (columns ->> '$.tags[1]') STORED,
    scope_set GENERATED ALWAYS AS (columns -> '$.scope' IS NOT NULL) STORED,
    scope_was GENERATED ALWAYS AS (columns ->> '$.scope[0]') STORED,
    scope_now GENERATED ALWAYS AS (columns ->> '$.scope[1]') STORED,
    category_set GENERATED ALWAYS AS (columns -> '$.category' IS NOT NULL) STORED,
    category_was GENERATED ALWAYS AS (columns ->> '$.category[0]') STORED,
    category_now GENERATED ALWAYS AS (columns ->> '$.category[1]') STORED,
    importance_set GENERATED ALWAYS AS (columns -> '$.importance' IS NOT NULL) STORED,
    importance_was GENERATED ALWAYS AS (columns ->> '$.importance[0]') STORED,
    importance_now GENERATED ALWAYS AS (columns ->> '$.importance[1]') STORED,
    expires_at_set GENERATED ALWAYS AS (columns -> '$.expires_at' IS NOT NULL) STORED,
    expires_at_was GENERATED ALWAYS AS (columns ->> '$.expires_at[0]') STORED,
    expires_at_now GENERATED ALWAYS AS (columns ->> '$.expires_at[1]') STORED,
    updated_at_set GENERATED ALWAYS AS (columns -> '$.updated_at' IS NOT NULL) STORED,
    updated_at_was GENERATED ALWAYS AS (columns ->> '$.updated_at[0]') STORED,
    updated_at_now GENERATED ALWAYS AS (columns ->> '$.updated_at[1]') STORED
);

-- What a rule does not do again with a memory: an act that was done, or what a person changed since.
CREATE TABLE rule_exceptions (
    memory_id INTEGER NOT NULL,
    rule_id   INTEGER NOT NULL,
    action    TEXT NOT NULL,
    item_id   INTEGER, -- of the journal: the act, or the change; what that undid, undone, is held again
    held      TEXT, -- JSON: what was held, where it may be held again
    PRIMARY KEY (memory_id, rule_id, action)
) WITHOUT ROWID;

-- Memories that rules are to be applied to; `turn` counts how often they changed since they are here.
CREATE TABLE rule_queue (
    memory_id INTEGER PRIMARY KEY,
    turn      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX rules_on ON rules (is_on) WHERE is_on = 1; -- a look into it is all that a write costs without rules

CREATE TRIGGER rules_insert AFTER INSERT ON memories WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1) BEGIN
    INSERT INTO rule_queue (memory_id) VALUES (new.id) ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1;
END;

CREATE TRIGGER rules_update AFTER UPDATE ON memories
WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1)
OR EXISTS (SELECT 1 FROM rule_settings WHERE memory_id = new.id) BEGIN
    INSERT INTO rule_queue (memory_id) VALUES (new.id) ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1;
END;

CREATE TRIGGER rules_delete AFTER DELETE ON memories BEGIN
    DELETE FROM rule_queue WHERE memory_id = old.id;
    DELETE FROM rule_settings WHERE memory_id = old.id;
    DELETE FROM rule_bases WHERE memory_id = old.id;
    DELETE FROM rule_exceptions WHERE memory_id = old.id;
END;
