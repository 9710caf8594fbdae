"""Secrets in the plans of past writes: what is undone by them later must not bring them back (S-62)."""

from __future__ import annotations

import json
from collections.abc import Collection

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import PastWrite, Plan
from memtui.formats.media.files.redact_history import without_contexts
from memtui.memory.secrets.redaction import Replacements
from memtui.values import JsonObject
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.models import OutboxEntry
from memtui.workspace.journal.items import load_plan

REDACTED = "redacted"  # the kind of a redaction's entry
_WITH_WORKSPACE = ("ours", "said", "whole")  # what a plan's JSON has beside the plan
# All plans of a store, newest first: one query over the journal.
_PLANS = (
    "SELECT o.item_id, i.memory_id, j.kind, o.state, o.plan FROM outbox o "
    "JOIN journal_items i ON i.id = o.item_id JOIN journal j ON j.id = i.journal_id "
    "WHERE o.store_id = ? AND o.plan IS NOT NULL ORDER BY o.item_id DESC"
)


def rewrite(ctx: Context, store_id: int, redacted: Replacements, holding: Collection[int]) -> int:
    """Take the values out of a store's plans; those of redactions go as a whole. `holding` are memories that
    still have one of the values, and keep their plans. Return how many plans cannot be kept."""
    rows = ctx.db.rows(_PLANS, (store_id,))
    plans: dict[int, JsonObject | None] = {id: json.loads(text) for id, _, _, _, text in rows}
    done = [(id, kind, memory_id in holding) for id, memory_id, kind, state, _ in rows if state == "done"]
    try:
        adapter = ctx.adapter(store_rows.get(ctx.db, store_id))
        assert adapter is not None
        writes = [
            PastWrite(load_plan(adapter, json.dumps(plans[id])), kind == REDACTED, holds)
            for id, kind, holds in done
        ]
        for (id, _, holds), plan in zip(done, adapter.redact_history(writes, redacted), strict=True):
            if not (plan is not None and holds and redacted.in_value(plans[id])):
                plans[id] = None if plan is None else _dumped(adapter, plan, plans[id] or {}, redacted)
    except (Refused, OSError):
        pass  # the store cannot be read now: what has a value is not kept
    lost, changed = 0, []
    for id, memory_id, kind, _, text in rows:
        new = plans[id] if kind != REDACTED else None
        if new is not None and redacted.in_value(new):
            if memory_id in holding:
                continue
            new = without_contexts(new, redacted)
        lost += new is None and kind != REDACTED
        if new is None or new != json.loads(text):
            changed.append((None if new is None else json.dumps(new), id))
    ctx.db.update_many(OutboxEntry, ("plan",), ("item_id",), changed)
    return lost


def _dumped(adapter: Adapter, plan: Plan, kept: JsonObject, redacted: Replacements) -> JsonObject:
    dumped = adapter.dump_plan(plan)
    rest = {name: kept[name] for name in _WITH_WORKSPACE if name in kept}
    names = {name: value for name, value in dumped.items() if name != "edits"}
    return {**dumped, **redacted.value({**names, **rest})}
