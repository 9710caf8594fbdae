"""Find and correct: a text replaced in the memories of all stores as one change (S-54)."""
