"""What decay has due, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.memory.encoding import iso

if TYPE_CHECKING:
    from memtui.workspace.decay.forecast import Due


def due_as_json(each: Due) -> dict[str, Any]:
    return {
        "uid": each.uid,
        "store": each.store,
        "label": each.label,
        "what": each.what,
        "rule": each.rule,
        "at": iso(each.at),
        "leaves": each.leaves,
        "where": each.where,
    }
