"""Journal entries, as JSON (S-82)."""

from __future__ import annotations

from typing import Any

from memtui.memory.encoding import iso
from memtui.memory.journal import Event


def entry_as_json(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "at": iso(event.at),
        "actor": event.actor,
        "kind": event.kind,
        "summary": event.summary,
        "state": event.state,
        "why": event.why,
        "undoes": event.undoes,
        "count": event.count,
        "store": event.store,
        "undoable": event.undoable,
    }
