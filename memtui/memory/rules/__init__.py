"""Rules: what shall hold for the memories that match a query (S-60)."""
