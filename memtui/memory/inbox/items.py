"""What waits for the person: the items of the Inbox, the most harmful kind first (S-52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from memtui.values import Json

SECRET, ESCALATED, PENDING, CONTRADICTION = "secret", "escalated", "pending", "contradiction"
LEAVING, STORE, CANDIDATES, DUPLICATE = "leaving", "store", "candidates", "duplicate"
KINDS = (SECRET, ESCALATED, PENDING, CONTRADICTION, LEAVING, STORE, CANDIDATES, DUPLICATE)
PAIRS = (ESCALATED, CONTRADICTION, DUPLICATE)
ABOUT_TO_LEAVE = 14  # days before an important memory leaves


@dataclass(frozen=True, slots=True)
class InboxItem:
    """One thing that needs the person; it is there as long as its cause is.

    `id` is the row of a memory, `pair` that of a pair; both are None for what is about a whole store. `label`
    is raw text, `code` says why it is here, with the values of `data`; no secret is in any of them. `since`
    is when it came up, or when something happens to it, in Unix seconds. `count` is how many memories or
    findings the line stands for.
    """

    IS_MASKED: ClassVar[bool] = True  # where it is made, which is cheaper: there may be 100,000

    kind: str
    store: str
    label: str
    code: str = ""
    since: float | None = None
    id: int | None = None
    pair: int | None = None
    uids: tuple[str, ...] = ()
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
class Inbox:
    """All that waits, in order; `done_today` counts what the person did today, `next_due` is when the next
    snoozed item returns or important memory is about to leave."""

    items: Sequence[InboxItem]
    done_today: int = 0
    next_due: float | None = None

    @property
    def counts(self) -> dict[str, int]:
        """The number of items by kind, of those that there are."""
        return {kind: n for kind in KINDS if (n := sum(each.kind == kind for each in self.items))}


def in_order(items: Sequence[InboxItem]) -> list[InboxItem]:
    """Return items sorted by harm, then by age, the oldest first."""
    rank = {kind: place for place, kind in enumerate(KINDS)}
    return sorted(items, key=lambda each: (rank[each.kind], each.since is None, each.since or 0.0))
