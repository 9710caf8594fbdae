"""Which fields each verb sets in a memory, depending on the memory and its format (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memtui.errors import Conflict
from memtui.memory.encoding import iso
from memtui.memory.lifecycles.confirmation import confirmed
from memtui.memory.memory import EDITABLE
from memtui.values import Fields, FieldValue
from memtui.workspace.changes import field_values, wording
from memtui.workspace.changes.planning import (
    AdapterClass,
    FieldChange,
    changed_fields,
    dismissal_fields,
    restored_fields,
)
from memtui.workspace.changes.removal import FORGET
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.journal.items import IN_STORE
from memtui.workspace.mirror.memory_rows import MirrorRow

Retag = Callable[[tuple[str, ...]], tuple[str, ...]]
"""Maps a memory's tags to its new ones."""

UNPINNED: Fields = {"pinned": False, "pinned_by": None, "pinned_why": None}


def pinned(ctx: Context, reason: str) -> FieldChange:
    """Return the change of a pin, with the reason if one is given."""
    fields = {"pinned": True, "pinned_by": ctx.actor, "pinned_why": reason or None}
    return lambda *_: fields


def snoozed(ctx: Context, until: float) -> FieldChange:
    """Return the change of a snooze until a moment (Unix seconds); raise Refused if that is past."""
    fields = field_values.cleaned({"snoozed_until": until}, ("snoozed_until",))
    if until <= ctx.clock():
        raise wording.until_past((iso(until) or "")[:10])
    return lambda *_: fields


def of_verb(ctx: Context, action: str) -> FieldChange:
    """Return the change of a verb that needs no more than the memory: pin, unpin, wake, confirm, dismiss,
    forget, restore."""

    def confirming(row: MirrorRow, adapter_class: AdapterClass | None) -> Mapping[str, FieldValue]:
        lifecycle = adapter_class.lifecycle if adapter_class else "memtui"
        return confirmed(row.memory, ctx.clock(), lifecycle)

    def restoring(row: MirrorRow, adapter_class: AdapterClass | None) -> Mapping[str, FieldValue]:
        return {IN_STORE: True} if row.removed_at is not None else restored_fields(ctx, row, adapter_class)

    changes: dict[str, FieldChange] = {
        "pin": pinned(ctx, ""),
        "unpin": lambda *_: UNPINNED,
        "wake": lambda *_: {"snoozed_until": None},
        "confirm": confirming,
        "dismiss": lambda _, adapter_class: dismissal_fields(adapter_class),
        FORGET: lambda *_: {IN_STORE: False},
        "restore": restoring,
    }
    return changes[action]


@dataclass(slots=True)
class Edit:
    """The change of an edit: the fields wanted, and new tags by `retag`. With the values that the user had
    `seen`, a memory that no longer has them is a Conflict. `limited` collects, by uid, why a confidence is
    not set as wanted."""

    ctx: Context
    wanted: Fields
    retag: Retag | None = None
    seen: Mapping[str, FieldValue] | None = None
    limited: dict[str, str] = field(default_factory=dict)

    def __call__(self, row: MirrorRow, adapter_class: AdapterClass | None) -> Mapping[str, FieldValue]:
        wanted, seen = self.wanted, self.seen or {}
        now = {name: getattr(row.memory, name) for name in seen}
        stored = {name: value for name, value in now.items() if value != seen[name]}
        if stored:
            intended = {name: wanted[name] for name in stored if name in wanted}
            raise Conflict(wording.CHANGED_SINCE_READ, intended, stored)
        tags = {} if self.retag is None else {"tags": self.retag(row.memory.tags)}
        field_values.refuse_masks(tags, {"tags": row.memory.tags})
        settable = field_values.settable_confidence(adapter_class, wanted)
        if settable:
            self.limited[row.memory.uid] = confidence_note(wanted, settable, row.memory.store)
        return edited_fields(self.ctx, row, {**wanted, **settable, **field_values.cleaned(tags, EDITABLE)})


def edited_fields(ctx: Context, row: MirrorRow, wanted: Mapping[str, FieldValue]) -> Fields:
    """Return the fields that an edit changes in a memory. Raise Refused if it would have no text."""
    fields = changed_fields(row, field_values.cleaned(wanted, EDITABLE))
    if "content" in fields and not fields["content"].strip():
        raise wording.would_be_empty()
    field_values.check_order(field_values.times_of(row.memory), fields)
    if fields and row.memory.store == NATIVE:
        fields["updated_at"] = ctx.clock()
    return fields


def confidence_note(wanted: Mapping[str, FieldValue], settable: Mapping[str, FieldValue], store: str) -> str:
    """Return that a store keeps another confidence than the one wanted."""
    return wording.confidence_limited(wanted["confidence"], settable["confidence"], store)
