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
    done      TEXT NOT NULL, -- the whole action
    item_id   INTEGER, -- of the journal; NULL for what only the Inbox shows
    PRIMARY KEY (memory_id, action)
) WITHOUT ROWID;
CREATE INDEX rule_settings_rule ON rule_settings (rule_id);

-- What the columns that rules have set would be without them.
CREATE TABLE rule_bases (
    memory_id INTEGER PRIMARY KEY,
    columns   TEXT NOT NULL -- JSON: column → [without rules, as the rules set it]
);

-- What a rule does not do again with a memory: an act that was done, or what a person changed since.
CREATE TABLE rule_exceptions (
    memory_id INTEGER NOT NULL,
    rule_id   INTEGER NOT NULL,
    action    TEXT NOT NULL,
    item_id   INTEGER, -- of the journal
    PRIMARY KEY (memory_id, rule_id, action)
) WITHOUT ROWID;

-- Memories that rules are to be applied to.
CREATE TABLE rule_queue (
    memory_id INTEGER PRIMARY KEY
);

CREATE TRIGGER rules_insert AFTER INSERT ON memories WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1) BEGIN
    INSERT OR IGNORE INTO rule_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER rules_update AFTER UPDATE ON memories WHEN EXISTS (SELECT 1 FROM rules WHERE is_on = 1) BEGIN
    INSERT OR IGNORE INTO rule_queue (memory_id) VALUES (new.id);
END;

CREATE TRIGGER rules_delete AFTER DELETE ON memories BEGIN
    DELETE FROM rule_queue WHERE memory_id = old.id;
    DELETE FROM rule_settings WHERE memory_id = old.id;
    DELETE FROM rule_bases WHERE memory_id = old.id;
    DELETE FROM rule_exceptions WHERE memory_id = old.id;
END;
