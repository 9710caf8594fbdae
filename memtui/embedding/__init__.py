"""From texts to vectors: one protocol, fastembed behind it, and a cheap stand-in for tests (S-35)."""
