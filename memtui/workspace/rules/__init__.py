"""Rules: keeping them, finding what they match, and applying them (S-60)."""
