-- The project's file that a rule comes from, '' for a person's own.
ALTER TABLE rules ADD COLUMN source TEXT NOT NULL DEFAULT '';

-- Policies by agent and project's file. No table is renamed: with a damaged index of words that fails.
CREATE TEMP TABLE former_policies AS SELECT name, parts FROM policies;
DROP TABLE policies;
CREATE TABLE policies (
    name   TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    parts  TEXT NOT NULL,
    PRIMARY KEY (name, source)
) WITHOUT ROWID;
INSERT INTO policies (name, parts) SELECT name, parts FROM former_policies;
DROP TABLE former_policies;

-- Files of projects that a person trusted: what their rules and policies are named after, the digest of the
-- bytes, when, and the rules that the file has switched on itself.
CREATE TABLE rule_files (
    path     TEXT PRIMARY KEY,
    project  TEXT NOT NULL,
    digest   TEXT NOT NULL,
    at       REAL NOT NULL,
    rules_on TEXT NOT NULL -- JSON: names, folded
) WITHOUT ROWID;
