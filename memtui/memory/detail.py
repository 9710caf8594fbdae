"""Everything that the detail pane shows of one memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.memory.journal import Event
from memtui.memory.memory import Memory
from memtui.memory.relations import Lineage, RelatedRecord, Relation

if TYPE_CHECKING:
    from memtui.memory.lifecycles.forecast import Forecast


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a memory, or unusual.

    `text` is one sentence and never contains a secret; `other_id` is the row of the memory that it
    conflicts with, if there is one, and `other_label` how `text` names that memory.
    """

    code: str
    text: str
    other_id: int | None = None
    other_uid: str = ""
    other_label: str = ""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an action does to a memory, and where (S-8).

    `text` completes the sentence "Dismiss …" and `label` is the same for a table. `local` means that memtui
    alone keeps it.
    """

    text: str
    label: str
    local: bool = False

    def with_addition(self, more: str) -> Consequence:
        """Return this with something else that the action does."""
        return Consequence(f"{self.text}; {more}", f"{self.label}; {more}", self.local)


@dataclass(frozen=True, slots=True)
class Detail:
    """Everything that the detail pane shows of one memory.

    `place` is its position in the store ("memory.jsonl, line 3"). `consequences` maps an action (pin,
    unpin, confirm, edit, `edit FIELD`, dismiss, restore) to a text on what it will write and where (S-8);
    `blocked` maps an action that cannot work now to the reason. `mentions` has the row of the memory that a
    link in the text leads to, by what the link names. `ruled` are the rules that set something of it, but
    for a pin, which says so itself, each with its action as it is typed.
    """

    id: int
    memory: Memory
    place: str
    path: str
    removed_at: float | None
    consequences: dict[str, Consequence]
    blocked: dict[str, str]
    relations: tuple[Relation, ...] = ()
    history: tuple[Event, ...] = ()
    related_records: tuple[RelatedRecord, ...] = ()
    forecast: Forecast | None = None
    lineage: tuple[Lineage, ...] = ()
    problems: tuple[Problem, ...] = ()
    mentions: Mapping[str, int] = field(default_factory=dict)
    ruled: tuple[tuple[str, str], ...] = ()
