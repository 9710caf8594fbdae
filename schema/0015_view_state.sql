-- How the user last viewed what: the grouping of a list, by the names of the attached stores.
CREATE TABLE view_state (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
