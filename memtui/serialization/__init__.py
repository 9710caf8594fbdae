"""The JSON shapes of --json, one place for the command line and what comes after it (S-82)."""
