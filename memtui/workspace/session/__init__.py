"""What an agent sees of a store when a session starts (S-72)."""
