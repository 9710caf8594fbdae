-- Entries of memtui in the settings files of agents: the client and the agent it speaks for, the entries, and what
-- is known of the file as it was written: the digests of its bytes before (NULL: no file) and after, what was
-- inserted where, and the folders that were made for it. No other content of the file is kept.
CREATE TABLE connections (
    file     TEXT PRIMARY KEY,
    client   TEXT NOT NULL,
    agent    TEXT NOT NULL,
    entries  TEXT NOT NULL, -- JSON: {"syntax", "insertions": [[path, value]]}
    before   TEXT,
    after    TEXT NOT NULL,
    inserted TEXT NOT NULL, -- JSON: {"pieces": [[at, text]], "made": [path]}
    folders  TEXT NOT NULL, -- JSON: paths
    at       REAL NOT NULL
) WITHOUT ROWID;
