"""Threads beside the screen: queries, the model, the scan, the store watcher."""
