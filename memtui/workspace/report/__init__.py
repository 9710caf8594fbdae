"""Reading what a report shows (S-75)."""
