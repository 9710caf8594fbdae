"""Everything about one memory, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.memory.encoding import iso, plain
from memtui.memory.memory import TIMES
from memtui.values import JsonObject

if TYPE_CHECKING:
    from memtui.memory.detail import Detail
    from memtui.memory.journal import Event
    from memtui.memory.relations import Relation


def detail_as_json(detail: Detail) -> JsonObject:
    """Return the memory with all keys of SPEC section 3, and what is known of it."""
    return {
        **detail.memory.to_json(),
        "place": detail.place,
        "path": detail.path,
        "removed_at": iso(detail.removed_at),
        "consequences": {action: each.text for action, each in detail.consequences.items()},
        "blocked": detail.blocked,
        "relations": [_relation(each) for each in detail.relations],
        "lineage": [
            {"kind": each.kind, "uid": each.uid, "label": each.label, "state": each.state or None}
            for each in detail.lineage
        ],
        "decay": detail.forecast.to_json() if detail.forecast is not None else None,
        "wrong": [
            {"code": each.code, "words": each.text, "other_uid": each.other_uid or None}
            for each in detail.problems
        ],
        "beside": [
            {"kind": each.kind, "words": each.text, "at": iso(each.at)} for each in detail.related_records
        ],
        "history": [_event(each) for each in detail.history],
    }


def _relation(relation: Relation) -> JsonObject:
    return {
        "source": relation.source,
        "kind": relation.kind,
        "target": relation.target,
        "strength": relation.strength,
        "context": relation.context,
        "body": relation.body,
        "kept": relation.local,
        "beside": relation.overrides.split(", ") if relation.overrides else [],
        "source_uid": relation.source_uid or None,
        "target_uid": relation.target_uid or None,
        "origin": "memtui" if relation.local else "store",
    }


def _event(event: Event) -> JsonObject:
    return {
        "id": event.id,
        "at": iso(event.at),
        "actor": event.actor,
        "kind": event.kind,
        "summary": event.summary,
        "state": event.state,
        "before": _fields(event.before),
        "after": _fields(event.after),
    }


def _fields(fields: JsonObject | None) -> JsonObject | None:
    """Return fields with times as ISO UTC text, as in the memory itself."""
    if fields is None:
        return None
    return {name: iso(value) if name in TIMES else plain(value) for name, value in fields.items()}
