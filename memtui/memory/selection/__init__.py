"""Choosing which memories an agent is given, within a budget of tokens (S-70, S-71)."""
