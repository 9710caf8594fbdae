"""Find and replace on screen: what to find, then match by match (S-54)."""
