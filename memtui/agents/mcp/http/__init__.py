"""Serving agents over HTTP on this machine alone, to clients that have the token (S-80)."""
