"""The workspace's copy of what the stores hold."""
