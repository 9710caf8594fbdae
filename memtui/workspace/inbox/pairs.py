"""Open contradictions and duplicates, those that wait for a week first (S-52)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from memtui.memory.contradictions.language.attributes import attribute_of
from memtui.memory.contradictions.pairs import CONTRADICTION as CONTRADICTIONS
from memtui.memory.inbox.items import CONTRADICTION, DUPLICATE, ESCALATED, InboxItem
from memtui.workspace.contradictions import queue

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_UIDS = "SELECT id, uid FROM memories WHERE id IN (SELECT value FROM json_each(?))"


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, those with one of these memories."""
    found = queue.listed(ctx, memories=only)
    ids = json.dumps(list({id for pair in found for id in (pair.a, pair.b)}))
    uids = {row[0]: str(row[1]) for row in ctx.db.rows(_UIDS, (ids,))}
    for pair in found:
        kind = CONTRADICTION if pair.family == CONTRADICTIONS else DUPLICATE
        store = pair.stores[0] if pair.stores[0] == pair.stores[1] else " · ".join(pair.stores)
        yield InboxItem(
            ESCALATED if pair.escalated and kind == CONTRADICTION else kind,
            store,
            both_labels(*pair.labels),
            pair.kind,
            pair.found_at,
            pair=pair.id,
            sides=(pair.a, pair.b),
            score=pair.score,
            uids=(uids.get(pair.a, ""), uids.get(pair.b, "")),
            data={"topic": attribute_of(pair.topic)} if pair.topic else {},
        )


def both_labels(a: str, b: str) -> str:
    """Return two labels with what they begin with in common once: "Cart: Owner: Bo / Jan"."""
    parts = a.split(": "), b.split(": ")
    shared = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(*parts, strict=False)))
    return f"{a} / {': '.join(parts[1][min(shared, len(parts[1]) - 1) :])}"
