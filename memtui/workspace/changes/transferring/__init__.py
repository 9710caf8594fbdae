"""Copying and moving memories to another store: what a copy keeps, and what is lost (S-8)."""
