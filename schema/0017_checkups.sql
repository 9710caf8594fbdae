-- What the doctor found in each store when it was examined last.
CREATE TABLE checkups (
    store_id INTEGER PRIMARY KEY REFERENCES stores (id),
    at       REAL NOT NULL,
    seconds  REAL NOT NULL, -- how long it took
    mark     TEXT NOT NULL, -- of the store's state; another one is examined again
    findings TEXT NOT NULL  -- JSON: code → what was found
);
