"""Background threads: reads and writes, the embedding model, the contradiction scan, the store watcher."""
