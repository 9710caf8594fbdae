"""Differences between two texts, word by word."""
