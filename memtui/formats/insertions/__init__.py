"""Entries of memtui in other programs' settings files: putting one in and taking it out, with all other bytes
as it is (S-87)."""
