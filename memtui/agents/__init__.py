"""What agents are given of memtui, and how their programs come to it."""
