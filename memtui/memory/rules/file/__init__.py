"""The file of rules: TOML that can be versioned and shared (S-63)."""
