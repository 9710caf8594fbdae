"""The domain: plain data and pure functions. No file, no database, no screen."""
