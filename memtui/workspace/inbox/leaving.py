"""Important memories that are about to leave: within two weeks, by decay or their expiry date (S-52).

Important is what was pinned once, has an importance of 0.7 or more, or is in its store's top tenth by use.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import ABOUT_TO_LEAVE, LEAVING, InboxItem
from memtui.memory.lifecycles.base import DAY
from memtui.values import Json, JsonObject
from memtui.workspace.decay import forecast
from memtui.workspace.inbox.waiting import AWAKE, NAMED, shown_label
from memtui.workspace.journal.history import REDO, UNDO

if TYPE_CHECKING:
    from memtui.workspace.context import Context

IMPORTANT, TOP = 0.7, 0.1
# What distinguishes each: whether it was pinned once, its importance, its uses, and those of its store's top.
_MARKS = (
    "SELECT m.id, m.pinned OR EXISTS (SELECT 1 FROM journal_items i JOIN journal j ON j.id = i.journal_id "
    "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = m.id AND i.fields ->> 'pinned' IS NOT NULL "
    f"AND st.state = 'done' AND st.undone_by IS NULL AND j.kind NOT IN ('{UNDO}', '{REDO}')), "
    "m.importance, m.times_used, m.store_id "
    "FROM json_each(?) e JOIN memories m ON m.id = e.value"
)
_LIVE = "SELECT count(*) FROM memories WHERE store_id = ? AND live = 1"
_USES = "SELECT times_used FROM memories WHERE store_id = ? AND live = 1 ORDER BY 1 DESC LIMIT 1 OFFSET ?"


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; with `only`, of these memories. `since` is when a memory leaves, and "helps" in the
    data what would keep it."""
    horizon = now + ABOUT_TO_LEAVE * DAY
    outlook = forecast.outlook(ctx, now, ids=only)
    places = {id: place for place, id in enumerate(outlook.ids(outlook.count_until(ABOUT_TO_LEAVE)))}
    codes = dict(_important(ctx, list(places)))
    where = f"JOIN json_each(?) e ON e.value = m.id WHERE m.live = 1 AND {AWAKE}"
    for id, uid, store, title, subject, content, _, _, suspect in ctx.db.rows(
        NAMED + where, (json.dumps(list(codes)), now)
    ):
        (row,) = outlook.rows(places[id], places[id] + 1)
        label = shown_label(title, subject, content, suspect=bool(suspect))
        kept = {"pin": row.if_pinned, "confirm": row.if_used}
        helps: list[Json] = [verb for verb, at in kept.items() if at > horizon]
        data: JsonObject = {"rule": row.rule, "score": row.score, "helps": helps}
        yield InboxItem(LEAVING, store, label, codes[id], row.at, id, uids=(uid,), data=data)


def _important(ctx: Context, ids: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the important ones with the code of why."""
    most: dict[int, int] = {}  # uses of the last of the top tenth, by store
    for id, was_pinned, importance, used, store_id in ctx.db.rows(_MARKS, (json.dumps(ids),)):
        if was_pinned:
            yield id, "was-pinned"
        elif importance is not None and importance >= IMPORTANT:
            yield id, "important"
        elif used:
            if store_id not in most:
                count = int(ctx.db.one(_LIVE, (store_id,)) or 0)
                most[store_id] = int(ctx.db.one(_USES, (store_id, max(0, round(count * TOP) - 1))) or 0)
            if used >= most[store_id]:
                yield id, "much-used"
