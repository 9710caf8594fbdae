"""The preview of a transfer to another store, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.encoding import plain
from memtui.memory.results import TransferPreview
from memtui.values import JsonObject
from memtui.workspace.changes.transferring.wording_transfer import left_behind


def transfer_as_json(preview: TransferPreview) -> JsonObject:
    """Return what a transfer would do to one memory."""
    return {
        "uid": preview.uid,
        "copy": preview.copy_uid or None,
        "label": preview.label,
        "changed": {name: [plain(before), plain(after)] for name, (before, after) in preview.changed.items()},
        "kept": list(preview.kept),
        "lost": [*preview.lost, *left_behind(preview.left)],
    }
