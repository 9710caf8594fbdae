"""The settings files of agents that memtui has entries in (S-87)."""
