"""The Journal screen: every change, and undo."""
