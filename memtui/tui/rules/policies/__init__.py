"""Policies on the Rules screen: what each agent may read and write (S-61)."""
