"""The Inbox: what all sources have, without what was put off, in order (S-52)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.memory.encoding import iso
from memtui.memory.inbox.items import FINDINGS, Inbox, InboxItem, Touched, in_order
from memtui.memory.results import Change
from memtui.workspace.changes import wording
from memtui.workspace.changes.own_records import finding_snoozes, own_states
from memtui.workspace.db.database import translate_errors
from memtui.workspace.inbox import breaches, by_rules, leaving, pairs, secrets, stores, waiting
from memtui.workspace.journal.history import VERBS
from memtui.workspace.journal.items import FINDING
from memtui.workspace.maintenance.redact.history import REDACTED
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context

Source = Callable[["Context", float, Collection[int] | None], Iterable[InboxItem]]
"""Items now; with ids, of memories just those of these."""
SOURCES: tuple[Source, ...] = (
    *(secrets.items, pairs.items, breaches.items, by_rules.items),
    *(waiting.items, leaving.items, stores.items),
)

_OF_ENTRIES = (
    "SELECT DISTINCT memory_id FROM journal_items WHERE journal_id IN (SELECT value FROM json_each(?))"
)
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


def listed(ctx: Context, opened: Iterable[str] = (), touched: Touched | None = None) -> Inbox:
    """Return what waits; of the stores in `opened` also each candidate. With `touched`, of memories only
    those that it names."""
    now = ctx.clock()
    with translate_errors(ctx.path):
        only, off = _rows_of(ctx, touched), finding_snoozes.snoozed(ctx, now)
        anew = touched.stores if touched is not None else frozenset()
        ids = {store.name: store.id for store in catalog.attached(ctx)} if off else {}
        found = [each for source in SOURCES for each in source(ctx, now, only) if _key(each, ids) not in off]
        for store in opened:
            found += waiting.candidates(ctx, store, now, None if store in anew else only)
        due = [at for at in (*off.values(), ctx.db.one(_NEXT, (now,))) if at is not None]
        return Inbox(in_order(found), _done_today(ctx, now), min(due, default=None), only, anew)


def _rows_of(ctx: Context, touched: Touched | None) -> frozenset[int] | None:
    if touched is None:
        return None
    rows = ctx.db.rows(_OF_ENTRIES, (json.dumps(list(touched.entries)),))
    return touched.ids | {id for (id,) in rows}


def snooze_finding(ctx: Context, store_name: str, code: str, until: float) -> Change:
    """Hide the findings of one kind in a store until a moment (Unix seconds)."""
    ctx.writable()
    store = catalog.find_attached(ctx, store_name)
    summary = wording.finding_snoozed(store.name, (iso(until) or "")[:10])
    state = own_states.State(FINDING, code, store.id, finding_snoozes.until(until))
    return Change("snoozed", (), summary, own_states.change(ctx, "snoozed", summary, [state]))


def _key(item: InboxItem, ids: Mapping[str, int]) -> tuple[int, str] | None:
    """Return what a finding is snoozed by: the store's id in `ids`, which a new name leaves, and the code."""
    return (ids.get(item.store, 0), item.code) if item.kind in FINDINGS else None


def _done_today(ctx: Context, now: float) -> int:
    today = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
    return int(ctx.db.one(_DONE, (today, json.dumps((*VERBS, REDACTED)))) or 0)
