"""Everything about one memory, and what is wrong with it."""
