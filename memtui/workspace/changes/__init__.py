"""Every change of a memory: planned, written through the outbox, journaled, undone."""
