"""What a format implements: the adapter, its records and its plans."""
