"""Backups, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.encoding import iso
from memtui.memory.stores import Backup
from memtui.values import JsonObject


def backup_as_json(backup: Backup) -> JsonObject:
    """Return {"id", "store", "made_at" (ISO UTC), "path", "size" (bytes)}; store is "" if it is unknown."""
    return {
        "id": backup.id,
        "store": backup.store,
        "made_at": iso(backup.made_at),
        "path": backup.path,
        "size": backup.size,
    }
