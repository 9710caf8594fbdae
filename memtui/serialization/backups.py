"""Backups, as JSON (S-82)."""

from __future__ import annotations

from typing import Any

from memtui.memory.encoding import iso
from memtui.memory.stores import Backup


def backup_as_json(backup: Backup) -> dict[str, Any]:
    """{"id", "store", "made_at" (ISO UTC), "path", "size" (bytes)}; store is "" where it is not known."""
    return {
        "id": backup.id,
        "store": backup.store,
        "made_at": iso(backup.made_at),
        "path": backup.path,
        "size": backup.size,
    }
