"""What becomes of a memory in another store, as JSON (S-82)."""

from __future__ import annotations

from typing import Any

from memtui.memory.encoding import plain
from memtui.memory.results import TransferPreview


def transfer_as_json(each: TransferPreview) -> dict[str, Any]:
    return {
        "uid": each.uid,
        "copy": each.copy_uid or None,
        "label": each.label,
        "changed": {name: [plain(was), plain(now)] for name, (was, now) in each.changed.items()},
        "kept": list(each.kept),
        "lost": list(each.lost),
    }
