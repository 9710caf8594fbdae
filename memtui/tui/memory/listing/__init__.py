"""The list of memories: rows, headings of groups, and what agents just brought (S-9, S-31)."""
