"""The Review screen: contradictions and duplicates, side by side."""
