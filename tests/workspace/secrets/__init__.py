"""The sweep for secrets."""
