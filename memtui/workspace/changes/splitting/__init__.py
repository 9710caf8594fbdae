"""Splitting one memory into several, as one change (SPEC 7)."""
