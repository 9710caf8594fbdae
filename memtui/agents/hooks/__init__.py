"""`memtui hook`: answers an agent's program at the events of a session (S-81, S-104)."""
