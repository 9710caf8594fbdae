"""Waiting until a condition holds on a screen or in a thread, never for a fixed time."""
