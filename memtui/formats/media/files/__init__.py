"""Stores made of files: reading, editing in place, atomic writes, undo."""
