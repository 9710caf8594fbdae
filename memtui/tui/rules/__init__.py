"""The Rules screen (S-60)."""
