"""Plan, apply and undo one change of a store of rows."""

from __future__ import annotations

import json

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.values import FieldValue

NOW = 1_800_000_000.75


def plan_change(
    store: SqliteStore, action: str, ref: str = "", link: Link | None = None, **fields: FieldValue
) -> Plan:
    """Plan one change and return it after a JSON round trip; raise it if it is refused."""
    (plan,) = store.plan([Write(action, ref, fields, {}, NOW, link)])
    if isinstance(plan, Refused):
        raise plan
    return store.load_plan(json.loads(json.dumps(store.dump_plan(plan))))


def apply_change(
    store: SqliteStore, action: str, ref: str = "", link: Link | None = None, **fields: FieldValue
) -> Plan:
    """Plan and apply one change."""
    plan = plan_change(store, action, ref, link, **fields)
    store.apply([plan], "t")
    return plan


def undo(store: SqliteStore, *plans: Plan) -> list[Plan]:
    """Undo changes in the given order and return the plans that did it; raise the first refusal."""
    undos = []
    for plan in store.reverse(plans):
        if isinstance(plan, Refused):
            raise plan
        undos.append(store.load_plan(json.loads(json.dumps(store.dump_plan(plan)))))
    store.apply(undos, "t")
    return undos
