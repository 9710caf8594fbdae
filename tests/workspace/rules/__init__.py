"""Rules: keeping them, trying them, applying them."""
