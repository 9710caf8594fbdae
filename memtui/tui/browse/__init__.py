"""The Browse screen: list, search line, filters."""
