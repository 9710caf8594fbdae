"""One memory's part in a change, and what became of a change (SPEC 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Link, Planned
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror.memory_rows import MirrorRow

if TYPE_CHECKING:
    pass


@dataclass(slots=True)
class ChangeItem:
    """One memory's part in a unit.

    `before` and `after` hold the fields touched; the pseudo-field `here` says whether the
    memory stands in its store at all (add, and add undone). `ours` are the fields that the
    workspace keeps, `plan` the foreign part, `refused` why there is none.
    """

    held: MirrorRow | None
    store: StoreRow  # the stores row
    before: dict[str, Any]
    after: dict[str, Any]
    ours: dict[str, Any] = field(default_factory=dict)
    adapter: Adapter | None = None  # None: our own store
    plan: Planned | None = None
    refused: Refused | None = None
    undoes_item: int | None = None
    link: Link | None = None  # of relate, unrelate, retie, supersede
    was: Link | None = None  # what it said, of retie
    fields: dict[str, Any] = field(default_factory=dict)  # of an add, as its format spells them
    needs: ChangeItem | None = None  # carried out only once that one was
    pair: ChangeItem | None = None  # the other half of a move, which comes before it
    depends_on_fields: tuple[str, ...] = ()  # fields of the memory that must still say what `held` does
    said: dict[str, Any] = field(default_factory=dict)  # what the store says of `ours`
    whole: bool = False  # carried out only with all other pieces of its unit
    unsettled: str = ""  # written, but the journal entry is still open; why
    item: int = 0
    memory_id: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a unit."""

    line: int
    pieces: Sequence[ChangeItem]

    @property
    def good(self) -> list[ChangeItem]:
        """The pieces that were carried out."""
        return [piece for piece in self.pieces if piece.refused is None]

    @property
    def unsettled(self) -> str:
        """Why the journal entry is still open although the store was written; "" if it is not."""
        return next((piece.unsettled for piece in self.pieces if piece.unsettled), "")

    @property
    def ending(self) -> str:
        """The same, to put behind what was done."""
        why = self.unsettled
        return f"; the journal entry is finished at the next start, since {why}" if why else ""
