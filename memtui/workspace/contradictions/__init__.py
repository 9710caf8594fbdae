"""The scan that compares memories, and the queue of what it found."""
