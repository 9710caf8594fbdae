"""What agents did, in numbers (S-84)."""
