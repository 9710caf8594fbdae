"""Laying two clauses side by side: alignment and what excludes what."""
