"""What memtui keeps of no memory, journaled and undone like a change of one (S-50, S-51)."""
