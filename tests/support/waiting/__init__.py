"""Waiting for screens and threads, never by sleeping."""
