"""What memtui keeps about no memory, journaled and undone like a change of one: snoozed findings, rules,
what is no secret, policies, trusted files, connections (S-50, S-51).

An item of such an entry has the key of what it changed, and its fields before and after.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from memtui.errors import Refused
from memtui.memory.results import Change
from memtui.memory.rules.wording_actions import stays
from memtui.memory.secrets.masking import hidden
from memtui.values import Fields
from memtui.workspace.changes import wording_undo
from memtui.workspace.changes.own_records import false_positives, finding_snoozes, rule_rows
from memtui.workspace.changes.settlement import toggle_undone
from memtui.workspace.connections import rows as connection_rows
from memtui.workspace.db.models import JournalEntry
from memtui.workspace.journal import items
from memtui.workspace.journal.items import (
    CONNECTION,
    FINDING,
    NO_SECRET,
    POLICY,
    RULE,
    RULE_FILE,
    Item,
    decode_body,
)
from memtui.workspace.policies import file_rows
from memtui.workspace.policies import rows as policy_rows

if TYPE_CHECKING:
    from memtui.workspace.changes.revert.items import ItemInEffect
    from memtui.workspace.context import Context

_STORE = "SELECT store_id FROM journal_items WHERE id = ?"


class Kept(Protocol):
    """One kind of what is kept; its fields are {} where there is nothing."""

    def now(self, ctx: Context, store_id: int, key: str) -> Fields:
        """Return its fields as they are."""

    def put(self, ctx: Context, store_id: int, key: str, fields: Fields) -> None:
        """Set them."""


KINDS: dict[str, Kept] = {
    FINDING: finding_snoozes,
    RULE: rule_rows,
    NO_SECRET: false_positives,
    POLICY: policy_rows,
    RULE_FILE: file_rows,
    CONNECTION: connection_rows,
}


@dataclass(frozen=True, slots=True)
class State:
    """One thing that is changed: its kind and key, the store it is about, and its fields after the change."""

    kind: str
    key: str
    store_id: int
    after: Fields

    @property
    def number(self) -> int:
        """What stands for a memory in the journal: no memory's row, and of each state in an entry another."""
        return -1 - int.from_bytes(blake2b(f"{self.kind} {self.key}".encode(), digest_size=6).digest())


def change(ctx: Context, kind: str, summary: str, states: Sequence[State], undoes: int | None = None) -> int:
    """Set states and journal it as one entry; return its id."""
    return _write(ctx, kind, summary, states, undoes)[0]


def is_one(in_effect: Sequence[ItemInEffect]) -> bool:
    """Return whether an entry is about such states."""
    return any(each.memory_id <= 0 for each in in_effect)


def revert(ctx: Context, entry_id: int, kind: str, summary: str, in_effect: Sequence[ItemInEffect]) -> Change:
    """Undo or redo such an entry, as an entry of this kind; raise Refused if a state was changed since."""
    states, ended = [], list[str]()
    with ctx.db.atomic():
        for each in in_effect:
            before, after = decode_body(each.before), decode_body(each.after)
            name = next(name for name in KINDS if name in after)
            key, store_id = str(after.pop(name)), int(ctx.db.one(_STORE, (each.item_id,)))
            before.pop(name)
            if KINDS[name].now(ctx, store_id, key) != after:
                raise wording_undo.not_undone("changed-since", wording_undo.CHANGED_AGAIN)
            states.append(State(name, key, store_id, before))
            if name == RULE and after.get("on") and not before.get("on"):
                ended += [action.partition("=")[0] for action in str(after["actions"]).split("\n")]
        new_id, first = _write(ctx, kind, summary, states, entry_id)
        for number, each in enumerate(in_effect):
            toggle_undone(ctx, each.item_id, new_id, first + number)
        names = [str(each.after["name"]) for each in states if each.kind == RULE and each.after]
        if taken := rule_rows.twice(ctx, names):
            raise wording_undo.not_undone("name", wording_undo.name_taken(taken))
    return Change(kind, (), summary + stays(ended), new_id)


def _write(
    ctx: Context, kind: str, summary: str, states: Sequence[State], undoes: int | None
) -> tuple[int, int]:
    """Set and journal states; return the ids of the entry and its first item."""
    with ctx.db.atomic():
        journaled = []
        for each, before in zip(states, _set(ctx, states), strict=True):
            sides = [{each.kind: each.key, **side} for side in (before, each.after)]
            journaled.append(Item(each.number, "", each.store_id, sides[0], sides[1]))
        entry = JournalEntry.insert(
            at=ctx.clock(), actor=ctx.actor, kind=kind, summary=hidden(summary), undoes=undoes
        )
        entry_id, first = ctx.db.write(entry), items.next_item(ctx.db)
        items.write_items(ctx.db, entry_id, journaled, first)
    return entry_id, first


def _set(ctx: Context, states: Sequence[State]) -> list[Fields]:
    """Set states, all or none, and return what they were: a file that was written is no part of the
    transaction."""
    before: list[Fields] = []
    try:
        for each in states:
            was = KINDS[each.kind].now(ctx, each.store_id, each.key)
            KINDS[each.kind].put(ctx, each.store_id, each.key, each.after)
            before.append(was)
    except (Refused, OSError):
        for each, was in reversed(list(zip(states, before, strict=False))):
            with suppress(Refused, OSError):
                KINDS[each.kind].put(ctx, each.store_id, each.key, was)
        raise
    return before
