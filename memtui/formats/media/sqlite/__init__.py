"""Stores that are SQLite databases: connection, rows, blocks."""
