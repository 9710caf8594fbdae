"""Memories out of files and stores that memtui does not manage (S-74); nothing is written there."""
