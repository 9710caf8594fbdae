"""Queueing memories for the rules; a change of a memory queues it by itself (S-60)."""

from __future__ import annotations

ALL = (
    "INSERT INTO rule_queue (memory_id) SELECT id FROM memories WHERE true "
    "ON CONFLICT (memory_id) DO UPDATE SET turn = turn + 1"
)
OF_STORE = ALL.replace("WHERE true", "WHERE store_id = ?")
