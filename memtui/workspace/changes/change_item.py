"""One memory's part in a change, and the outcome of a change (SPEC 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Plan
from memtui.formats.contract.records import Link
from memtui.values import Fields
from memtui.workspace.changes import wording
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow


@dataclass(slots=True)
class ChangeItem:
    """One memory's part in a change.

    `before` and `after` have the fields that change, and the journal's pseudo-fields: `here` says whether
    the memory is in its store at all (an add, an undone add). `local_fields` are those that the workspace
    keeps, with their new values; `plan` writes the others to the store; `refused` says why nothing is done.
    """

    row: MirrorRow | None  # None: it is being added
    store: StoreRow
    before: Fields
    after: Fields
    local_fields: Fields = field(default_factory=dict)
    adapter: Adapter | None = None  # None: memtui's own store
    plan: Plan | None = None
    refused: Refused | None = None
    undoes_item: int | None = None  # the journal item that this one undoes
    link: Link | None = None  # of relate, unrelate, retie, supersede
    previous_link: Link | None = None  # that retie replaces
    added_fields: Fields = field(default_factory=dict)  # of an add, as its format stores them
    depends_on: ChangeItem | None = None  # carried out only after that one
    counterpart: ChangeItem | None = None  # the other half of a move, where it comes first
    depends_on_fields: tuple[str, ...] = ()  # of the memory: refused if one is no longer as in `row`
    stored_fields: Fields = field(default_factory=dict)  # the store's own values of `local_fields`
    with_entity: bool = False  # its entity goes with it if it is the last memory of that
    all_or_nothing: bool = False  # carried out only with all other such items of its change
    pending_reason: str = ""  # why its entry is still open although the store was written
    # Relations in `after` that lead to a memory that the same change adds, and its item: they get its uid.
    ends_added: list[tuple[Fields, ChangeItem]] = field(default_factory=list)
    item_id: int = 0  # in the journal
    memory_id: int = 0
    uid: str = ""  # of an add before it is carried out: the one it should get if that is free

    @property
    def is_waiting(self) -> bool:
        """Whether it is kept by memtui alone, but depends on a write to a store."""
        return self.plan is None and self.refused is None and self.depends_on is not None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change."""

    entry_id: int
    items: Sequence[ChangeItem]

    @property
    def done(self) -> list[ChangeItem]:
        """The items that were carried out."""
        return [item for item in self.items if item.refused is None]

    @property
    def pending_reason(self) -> str:
        """Why the journal entry is still open although the store was written; "" if it is not."""
        return next((item.pending_reason for item in self.items if item.pending_reason), "")

    @property
    def pending_note(self) -> str:
        """The same, to append to what was done."""
        reason = self.pending_reason
        return wording.entry_pending(reason) if reason else ""
