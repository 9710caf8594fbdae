"""Completion of the command line in shells."""
