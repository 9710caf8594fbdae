"""Taking a journal entry back in the stores that it was written to."""
