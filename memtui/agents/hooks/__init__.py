"""What an agent's program asks at events of a session, and what it is told: `memtui hook` (S-81, S-104)."""
