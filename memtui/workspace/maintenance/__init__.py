"""Doctor, salvage, repair, purge and statistics."""
