-- The project's file that a rule comes from, '' for a person's own.
ALTER TABLE rules ADD COLUMN source TEXT NOT NULL DEFAULT '';

-- Policies by agent and project's file.
CREATE TABLE new_policies (
    name   TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    parts  TEXT NOT NULL,
    PRIMARY KEY (name, source)
) WITHOUT ROWID;
INSERT INTO new_policies (name, parts) SELECT name, parts FROM policies;
DROP TABLE policies;
ALTER TABLE new_policies RENAME TO policies;

-- Files of projects that a person trusted: what their rules and policies are named after, the digest of the
-- bytes, when, and the rules that the file has switched on itself.
CREATE TABLE rule_files (
    path     TEXT PRIMARY KEY,
    project  TEXT NOT NULL,
    digest   TEXT NOT NULL,
    at       REAL NOT NULL,
    rules_on TEXT NOT NULL -- JSON: names, folded
) WITHOUT ROWID;
