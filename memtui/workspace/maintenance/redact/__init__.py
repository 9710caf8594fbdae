"""Taking secrets out of memories, and out of all that memtui keeps of them (S-50, S-62)."""
