"""The doctor and its repairs, salvage, purge, and statistics."""
