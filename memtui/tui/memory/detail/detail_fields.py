"""The facts about a memory as rows of name and value: what a reader asks for, and the raw fields."""

from __future__ import annotations

import json

from memtui.memory.detail import Detail
from memtui.memory.encoding import plain
from memtui.memory.provenance import is_identifier, origin_rows
from memtui.memory.rules.rule import parse_action
from memtui.memory.rules.wording_actions import done
from memtui.memory.wording import pinner
from memtui.tui.memory.detail import wording_detail as wording
from memtui.tui.text.glyphs import moment
from memtui.tui.text.text_layout import Part, one_line
from memtui.values import FieldValue

MAX_EXTRA = 40  # fields unknown to memtui that are shown
_MAX_NAME, _MAX_VALUE = 16, 200  # characters
_MAX_ORIGIN = 600


def provenance_rows(detail: Detail, now: float) -> list[Part]:
    """Return who holds a memory, where, since when, and why it is believed, in a reader's words."""
    memory = detail.memory
    times = [
        ("created", memory.created_at),
        ("updated", memory.updated_at),
        ("happened", memory.event_time),
        ("valid from", memory.valid_from),
        ("valid to", memory.valid_to),
        ("expires", memory.expires_at),
        ("snoozed until", memory.snoozed_until),
        ("removed", detail.removed_at),
    ]
    pinned = " · ".join(part for part in (pinner(memory.pinned_by or ""), memory.pinned_why) if part)
    held = (wording.by_rule(rule, done(parse_action(action))) for rule, action in detail.ruled)
    rows = [
        ("agent", memory.owner or ""),
        ("store", memory.store),
        ("entity", memory.subject or ""),
        ("place", detail.place),
        *[(name, moment(at, now)) for name, at in times if at is not None],
        *origin_rows(detail, lambda at: moment(at, now), identifiers=False),
        ("tags", ", ".join(memory.tags)),
        ("note", memory.note or ""),
        ("pinned by", pinned if memory.pinned else ""),
        ("rules", " · ".join(held)),
    ]
    return [(name, one_line(value, _MAX_ORIGIN)) for name, value in rows if value]


def raw_rows(detail: Detail) -> list[Part]:
    """Return identifiers, and the fields as they are stored."""
    memory = detail.memory
    sources = {"source_ref": memory.source_ref, "session_id": memory.session_id}
    rows: list[tuple[str, FieldValue]] = [
        ("uid", memory.uid),
        # A ref of memtui's own store is random; elsewhere it finds the memory in the agent's file.
        ("ref", memory.ref if memory.store != "native" else None),
        *[(name, value) for name, value in sources.items() if value and is_identifier(value)],
        ("superseded_by", memory.superseded_by),
        ("key", memory.key),
        ("value", memory.value),
        ("kind", memory.kind if memory.category and memory.kind != "item" else None),
        ("scope", memory.scope),
        ("company_id", memory.company_id),
        ("importance", None if memory.importance is None else f"{memory.importance:.2f}"),
        ("tier", memory.tier),
        ("heat", memory.heat),
        *list(memory.extra.items())[:MAX_EXTRA],
    ]
    shown = [
        (one_line(f"{name}:", _MAX_NAME), one_line(_raw(value), _MAX_VALUE))
        for name, value in rows
        if value not in (None, "")
    ]
    if (more := len(memory.extra) - MAX_EXTRA) > 0:
        shown.append(("", wording.unknown_fields(more)))
    return shown


def _raw(value: FieldValue) -> str:
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
