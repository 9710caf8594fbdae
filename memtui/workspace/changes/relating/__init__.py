"""Relations added, changed and removed, and one memory that replaces another (SPEC 7)."""
