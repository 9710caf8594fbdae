"""Erasing memories permanently from their stores and from all that memtui keeps (S-50)."""
