"""Open contradictions and duplicates, those that wait for a week first (S-52)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from memtui.memory.contradictions.language.attributes import attribute_of
from memtui.memory.contradictions.pairs import CONTRADICTION as CONTRADICTIONS
from memtui.memory.inbox.items import CONTRADICTION, DUPLICATE, ESCALATED, InboxItem
from memtui.workspace.contradictions import queue

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_UIDS = "SELECT id, uid FROM memories WHERE id IN (SELECT a FROM pairs UNION SELECT b FROM pairs)"


def items(ctx: Context, now: float) -> Iterator[InboxItem]:
    """Yield the items."""
    uids = {row[0]: str(row[1]) for row in ctx.db.rows(_UIDS)}
    for pair in queue.listed(ctx):
        kind = CONTRADICTION if pair.family == CONTRADICTIONS else DUPLICATE
        store = pair.stores[0] if pair.stores[0] == pair.stores[1] else " · ".join(pair.stores)
        yield InboxItem(
            ESCALATED if pair.escalated and kind == CONTRADICTION else kind,
            store,
            both_labels(*pair.labels),
            pair.kind,
            pair.found_at,
            pair=pair.id,
            uids=(uids.get(pair.a, ""), uids.get(pair.b, "")),
            data={"topic": attribute_of(pair.topic)} if pair.topic else {},
        )


def both_labels(a: str, b: str) -> str:
    """Return two labels with what they begin with in common once: "Cart: Owner: Bo / Jan"."""
    parts = a.split(": "), b.split(": ")
    shared = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(*parts, strict=False)))
    return f"{a} / {': '.join(parts[1][min(shared, len(parts[1]) - 1) :])}"
