"""The JSON shapes of --json, shared by the command line and what will use them next (S-82)."""
