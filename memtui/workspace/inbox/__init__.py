"""What needs the person, over all stores: one file for each source of items, and the queue of them all."""
