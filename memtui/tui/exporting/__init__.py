"""Exports on screen: what goes in, how large it is, and where it goes (S-70, S-71, S-73)."""
