"""Connecting agents' programs: memtui's entry in their own settings files (S-87)."""
