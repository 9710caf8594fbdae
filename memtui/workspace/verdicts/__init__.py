"""Settling a contradiction or duplicate: from the choice to the plan of every store."""
