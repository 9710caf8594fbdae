"""What decay would do now, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.workspace.decay.forecast import DueStep


def due_as_json(due: DueStep) -> JsonObject:
    """Return what is due for one memory."""
    return {
        "uid": due.uid,
        "store": due.store,
        "label": due.label,
        "what": due.what,
        "rule": due.rule,
        "at": iso(due.at),
        "leaves": due.leaves,
        "where": due.where,
    }
