"""Comparing two clauses: parsing, alignment, conflicting values."""
