"""Saving what can be read of a damaged workspace into a new one."""
