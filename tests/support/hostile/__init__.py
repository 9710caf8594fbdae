"""Texts that try to act on a terminal."""
