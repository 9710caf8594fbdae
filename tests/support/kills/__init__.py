"""Processes that are killed on the way, and programs beside the tests."""
