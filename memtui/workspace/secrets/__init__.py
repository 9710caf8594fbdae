"""Which memories hold a secret: a sweep over all texts, kept up to date (S-62)."""
