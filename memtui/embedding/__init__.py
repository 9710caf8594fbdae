"""Text embedding: one protocol, fastembed behind it, and a hashing embedder for tests (S-35)."""
