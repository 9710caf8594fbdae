"""Policies: those that are kept here, those that stores state, and what they refused (S-61)."""
