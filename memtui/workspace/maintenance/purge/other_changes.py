"""Purged texts in what the journal and the outbox keep of changes to other memories.

Everything kept has to be read, so the reads are raw SQL over all rows of a store.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from memtui.values import Json
from memtui.workspace.db.database import Database
from memtui.workspace.db.models import ItemBody, ItemState, OutboxEntry
from memtui.workspace.journal.items import VERDICT, decode_body
from memtui.workspace.maintenance.purge.matching import TextMatcher, redact_plan
from memtui.workspace.mirror import memory_rows

_LISTED = "(SELECT value FROM json_each(?))"
# What verdicts on purged memories, their undos and redos did to any memory.
_SETTLED = (
    "WITH RECURSIVE settled (id) AS (SELECT j.id FROM journal j JOIN journal_items i ON i.journal_id = j.id "
    f"WHERE j.kind = 'resolved' AND i.memory_id IN {_LISTED} "
    "UNION SELECT j.id FROM journal j JOIN settled s ON j.undoes = s.id) "
    "SELECT i.id, i.memory_id, b.before, b.after FROM journal_items i JOIN bodies b ON b.item_id = i.id "
    "WHERE i.journal_id IN (SELECT id FROM settled) AND (b.before IS NOT NULL OR b.after IS NOT NULL)"
)
_PLANS = (
    "SELECT o.item_id, i.memory_id, o.plan FROM outbox o JOIN journal_items i ON i.id = o.item_id "
    f"WHERE o.plan IS NOT NULL AND o.store_id IN {_LISTED}"
)
_BODIES = (
    "SELECT b.item_id, i.memory_id, b.before, b.after FROM bodies b JOIN journal_items i ON i.id = b.item_id "
    f"WHERE (b.before IS NOT NULL OR b.after IS NOT NULL) AND i.store_id IN {_LISTED}"
)
_REASONS = (
    "SELECT s.item_id, s.why FROM item_states s JOIN journal_items i ON i.id = s.item_id "
    f"WHERE s.why <> '' AND i.store_id IN {_LISTED}"
)
_VERDICTS = "SELECT item_id, before, after FROM bodies WHERE " + " OR ".join(
    f"json_extract({side}, '$.verdict.b') IN {_LISTED}" for side in ("before", "after")
)


def erase(db: Database, ids: str, stores: str, matcher: TextMatcher) -> int:
    """Erase the texts from what was kept of changes to other memories of these stores, and return how many
    changes cannot be undone any more.

    Contexts lose what matches. A body or plan that contains a text completely is erased, unless its memory
    contains that text anyway. Verdicts (a merge) may have copied words into a memory of any store: there, a
    part of a text is enough. `ids` and `stores` are JSON lists.
    """
    plans: list[tuple[str | None, int]] = []
    bodies: set[int] = set()
    for item_id, memory_id, before, after in db.rows(_SETTLED, (ids,)):
        if matcher.in_value(_values(before, after)) and not matcher.in_value(_fields_of(db, memory_id)):
            bodies.add(item_id)
            plans.append((None, item_id))
    for item_id, memory_id, text in db.rows(_PLANS, (stores,)):
        plan = json.loads(text)
        redacted = redact_plan(plan, matcher, partial(_complete_in_row, db, matcher, memory_id))
        if redacted is None:
            bodies.add(item_id)
            plans.append((None, item_id))
        elif redacted != plan:
            plans.append((json.dumps(redacted), item_id))
    for item_id, memory_id, before, after in db.rows(_BODIES, (stores,)):
        complete = matcher.complete_in(_values(before, after))
        if complete and complete - _complete_in_row(db, matcher, memory_id):
            bodies.add(item_id)
    reasons = db.rows(_REASONS, (stores,))
    db.update_many(OutboxEntry, ("plan",), ("item_id",), plans)
    db.update_many(ItemBody, ("before", "after"), ("item_id",), [(None, None, id) for id in bodies])
    quoting = [("", id) for id, reason in reasons if matcher.quoted_in(reason)]
    db.update_many(ItemState, ("why",), ("item_id",), quoting)
    return len(bodies)


def _fields_of(db: Database, memory_id: int) -> list[Json]:
    """Return a memory's fields as its row has them now, in a list; none if there is no row."""
    return [asdict(row.memory) for row in memory_rows.load(db, [memory_id])]


def _complete_in_row(db: Database, matcher: TextMatcher, memory_id: int) -> set[str]:
    return matcher.complete_in(_fields_of(db, memory_id))


def _values(*bodies: str | None) -> Sequence[Json]:
    return [list(decode_body(body).values()) for body in bodies]


def redact_verdicts(db: Database, ids: str) -> None:
    """Erase the words in verdicts on purged memories that the journal keeps with the other memory."""
    rows = db.rows(_VERDICTS, (ids, ids))
    bodies = [(*map(_without_words, sides), item_id) for item_id, *sides in rows]
    db.update_many(ItemBody, ("before", "after"), ("item_id",), bodies)
    plans = []
    for item_id, *_ in rows:
        text = db.one("SELECT plan FROM outbox WHERE item_id = ?", (item_id,))
        if text is not None:
            plan = json.loads(text)
            plan["ours"] = json.loads(_without_words(json.dumps(plan.get("ours", {}))) or "{}")
            plans.append((json.dumps(plan), item_id))
    db.update_many(OutboxEntry, ("plan",), ("item_id",), plans)


def _without_words(body: str | None) -> str | None:
    """Return an item's fields as kept, without the words of a verdict among them."""
    fields = json.loads(body) if body is not None else {}
    if not fields.get(VERDICT):
        return body
    return json.dumps(fields | {VERDICT: fields[VERDICT] | {"note": "", "topic": "", "subject": ""}})
