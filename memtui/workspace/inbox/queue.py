"""The Inbox: what all sources have, without what was put off, in order (S-52)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import STORE, Inbox, InboxItem, in_order
from memtui.workspace.db.database import translate_errors
from memtui.workspace.db.models import ViewState
from memtui.workspace.inbox import leaving, pairs, secrets, stores, waiting
from memtui.workspace.journal.history import VERBS
from memtui.workspace.maintenance.redact.history import REDACTED

if TYPE_CHECKING:
    from memtui.workspace.context import Context

Source = Callable[["Context", float], Iterable[InboxItem]]
SOURCES: tuple[Source, ...] = (secrets.items, pairs.items, waiting.items, leaving.items, stores.items)

_LATER = "inbox later"  # the name under which findings of stores that were put off are kept
# Items of entries by the person today that are in effect.
_DONE = (
    "SELECT count(DISTINCT i.memory_id) FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    "JOIN item_states st ON st.item_id = i.id WHERE j.at >= ? AND j.actor = 'person' "
    "AND st.state = 'done' AND st.undone_by IS NULL AND j.kind IN (SELECT value FROM json_each(?))"
)
_NEXT = (
    "SELECT min(at) FROM (SELECT min(snoozed_until) AS at FROM memories WHERE live = 1 "
    "AND snoozed_until > ?1 UNION ALL SELECT min(until) FROM verdicts WHERE verdict = 'later' AND until > ?1)"
)


def listed(ctx: Context, opened: Iterable[str] = ()) -> Inbox:
    """Return what waits; of the stores in `opened` also each candidate."""
    now = ctx.clock()
    with translate_errors(ctx.path):
        off = put_off(ctx, now)
        found = [each for source in SOURCES for each in source(ctx, now) if _key(each) not in off]
        for store in opened:
            found += waiting.candidates(ctx, store, now)
        due = [at for at in (*off.values(), ctx.db.one(_NEXT, (now,))) if at is not None]
        return Inbox(in_order(found), _done_today(ctx, now), min(due, default=None))


def put_off_store(ctx: Context, store: str, code: str, until: float) -> None:
    """Hide the findings of one kind in a store until a moment (Unix seconds)."""
    kept = dict(put_off(ctx, ctx.clock())) | {f"{store}\n{code}": until}
    ctx.db.write(ViewState.insert(name=_LATER, value=json.dumps(kept)).on_conflict_replace())


def put_off(ctx: Context, now: float) -> Mapping[str, float]:
    """Return until when findings of stores are hidden, by store and code."""
    row = ctx.db.find(ViewState, _LATER)
    kept: dict[str, float] = json.loads(row.value) if row is not None else {}
    return {key: until for key, until in kept.items() if until > now}


def _key(item: InboxItem) -> str:
    return f"{item.store}\n{item.code}" if item.kind == STORE else ""


def _done_today(ctx: Context, now: float) -> int:
    today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    return int(ctx.db.one(_DONE, (today, json.dumps((*VERBS, REDACTED)))) or 0)
