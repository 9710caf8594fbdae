"""Backups, as JSON (S-82)."""

from __future__ import annotations

from typing import Any

from memtui.memory.records import Backup, iso


def backup_as_json(backup: Backup) -> dict[str, Any]:
    """{"id", "store", "made_at" (ISO UTC), "path", "size" (bytes)}; store is "" where it is not known."""
    return {
        "id": backup.id,
        "store": backup.store,
        "made_at": iso(backup.made_at),
        "path": backup.path,
        "size": backup.size,
    }
