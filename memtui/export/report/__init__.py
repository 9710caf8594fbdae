"""A report for people who would rather look: one HTML file that needs no script and no network (S-75)."""
