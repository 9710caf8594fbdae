"""One memory in full: its text, rendered, and what is known of it; following its links (S-8)."""
