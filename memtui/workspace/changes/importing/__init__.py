"""Importing memories: what each is to those that are there, and adding them (S-74)."""
