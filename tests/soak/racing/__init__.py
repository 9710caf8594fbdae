"""Processes that change one store at once, what each saw of it, and whether that can be true."""
