"""Settling a contradiction or a duplicate: from the verdict to the plans of all stores."""
