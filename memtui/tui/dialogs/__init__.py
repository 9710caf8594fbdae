"""Modal screens: help, edit, conflict."""
