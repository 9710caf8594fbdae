"""Journal entries, as JSON (S-82)."""

from __future__ import annotations

from memtui.memory.encoding import iso
from memtui.memory.journal import Event
from memtui.values import JsonObject


def entry_as_json(event: Event) -> JsonObject:
    """Return a journal entry; "at" is ISO UTC text."""
    return {
        "id": event.id,
        "at": iso(event.at),
        "actor": event.actor,
        "tool": event.tool,
        "session": event.session,
        "kind": event.kind,
        "summary": event.summary,
        "state": event.state,
        "why": event.reason,
        "undoes": event.undoes,
        "count": event.count,
        "store": event.store,
        "undoable": event.undoable,
    }
