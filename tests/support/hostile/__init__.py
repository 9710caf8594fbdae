"""Texts that try to control a terminal, or are hard to draw."""
