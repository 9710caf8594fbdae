"""What waits for the person: the items of the Inbox, the most harmful kind first (S-52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from memtui.values import Json

SECRET, ESCALATED, PENDING, CONTRADICTION = "secret", "escalated", "pending", "contradiction"
LEAVING, STORE, CANDIDATES, DUPLICATE = "leaving", "store", "candidates", "duplicate"
RULE = "rule"  # a rule sends it here
BREACH = "breach"  # a policy refused something to an agent
FINDINGS = (STORE, BREACH)  # about no memory: such a line says all in its label
KINDS = (SECRET, ESCALATED, BREACH, RULE, PENDING, CONTRADICTION, LEAVING, STORE, CANDIDATES, DUPLICATE)
PAIRS = (ESCALATED, CONTRADICTION, DUPLICATE)
ABOUT_TO_LEAVE = 14  # days before an important memory leaves


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One thing that needs the person; it is there as long as its cause is.

    `id` is the row of a memory, `pair` that of a pair and `sides` those of its memories; all are empty for
    what is about a whole store. `label` is stored text without secrets, `code` says why it is here, with the
    values of `data`; `since` is when it came up, or when something happens to it, in Unix seconds; of two of
    one age that with the higher `score` is listed first. `count` is how many memories or findings the line
    stands for.
    """

    IS_MASKED: ClassVar[bool] = True  # where it is made, which is cheaper: there may be very many

    kind: str
    store: str
    label: str
    code: str = ""
    since: float | None = None
    id: int | None = None
    pair: int | None = None
    sides: tuple[int, ...] = ()
    uids: tuple[str, ...] = ()
    score: float = 0.0
    count: int = 1
    data: Mapping[str, Json] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, int | str, str]:
        """What identifies the item while it is there."""
        which = self.pair if self.pair is not None else self.id
        return (
            "pair" if self.kind in PAIRS else self.kind,
            which if which is not None else self.store,
            self.code,
        )


@dataclass(frozen=True, slots=True)
class Touched:
    """What is read anew: rows of memories, all memories of journal entries, all candidates of stores."""

    ids: frozenset[int] = frozenset()
    entries: frozenset[int] = frozenset()
    stores: frozenset[str] = frozenset()

    def __or__(self, other: Touched) -> Touched:
        return Touched(self.ids | other.ids, self.entries | other.entries, self.stores | other.stores)


@dataclass(frozen=True, slots=True)
class Inbox:
    """All that waits, in order; `done_today` counts what the person did today, `next_due` is when the next
    snoozed item returns or important memory is about to leave.

    With `only`, the items of all but these memories are left out, `anew` apart: the stores whose candidates
    are all there."""

    IS_MASKED: ClassVar[bool] = True

    items: Sequence[InboxItem]
    done_today: int = 0
    next_due: float | None = None
    only: frozenset[int] | None = None
    anew: frozenset[str] = frozenset()

    @property
    def counts(self) -> dict[str, int]:
        """The number of items by kind, of those that there are."""
        return {kind: n for kind in KINDS if (n := sum(each.kind == kind for each in self.items))}


def in_order(items: Sequence[InboxItem]) -> list[InboxItem]:
    """Return items sorted by harm, then by age, the oldest first."""
    rank = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(
        items,
        key=lambda each: (
            *(rank[each.kind], each.since is None, each.since or 0.0),
            *(-each.score, each.pair or each.id or 0),
        ),
    )
