"""Completion of what is typed into an input: suggestions below it, and the input that takes them (S-31)."""
