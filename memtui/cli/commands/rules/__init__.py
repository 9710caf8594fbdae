"""The commands that keep rules, try them and apply them (S-60, S-63)."""
