"""Everything about one memory, as JSON (S-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.memory.encoding import iso, plain
from memtui.memory.memory import TIMES

if TYPE_CHECKING:
    from memtui.memory.detail import Detail
    from memtui.memory.journal import Event
    from memtui.memory.relations import Relation


def detail_as_json(detail: Detail) -> dict[str, Any]:
    """The memory with all keys of section 3, and beside them what is known of it."""
    return {
        **detail.memory.to_json(),
        "place": detail.place,
        "path": detail.path,
        "removed_at": iso(detail.removed_at),
        "consequences": detail.consequences,
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
        "beside": [{"kind": b.kind, "words": b.text, "at": iso(b.at)} for b in detail.related_records],
        "history": [_event(each) for each in detail.history],
    }


def _relation(each: Relation) -> dict[str, Any]:
    return {
        "source": each.source,
        "kind": each.kind,
        "target": each.target,
        "strength": each.strength,
        "context": each.context,
        "body": each.body,
        "kept": each.local,
        "beside": each.overrides.split(", ") if each.overrides else [],
        "source_uid": each.source_uid or None,
        "target_uid": each.target_uid or None,
        "origin": "memtui" if each.local else "store",
    }


def _event(each: Event) -> dict[str, Any]:
    return {
        "id": each.id,
        "at": iso(each.at),
        "actor": each.actor,
        "kind": each.kind,
        "summary": each.summary,
        "state": each.state,
        "before": _fields(each.before),
        "after": _fields(each.after),
    }


def _fields(said: dict[str, Any] | None) -> dict[str, Any] | None:
    """Times as ISO UTC text, as in the memory itself."""
    if said is None:
        return None
    return {name: iso(value) if name in TIMES else plain(value) for name, value in said.items()}
