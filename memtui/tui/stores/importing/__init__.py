"""Importing memories: the path, and what is taken of what it holds."""
