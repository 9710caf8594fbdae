"""Sweeps: everything that is shown, on everything that is hostile."""
