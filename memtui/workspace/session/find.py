"""Which store is meant by the name of an agent: a store's own name, a format's client, or an owner (S-72)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.records import clean
from memtui.memory.policies.policy import folded
from memtui.workspace.connections import rows
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.policies import holding
from memtui.workspace.session import wording
from memtui.workspace.stores import catalog

# One column of thousands of rows, without model instances.
_OF_OWNER = (
    "SELECT DISTINCT store_id FROM memories WHERE owner = ? AND removed_at IS NULL "
    "AND store_id IN (SELECT value FROM json_each(?))"
)


def store_of(ctx: Context, name: str) -> StoreRow:
    """Return the attached store that a name means; raise Refused if there is none, or several."""
    name = clean(name)
    stores = [each for each in catalog.attached(ctx) if each.format != NATIVE]
    for candidates in (
        [each for each in stores if each.name == name],
        [each for each in stores if name in (each.format, *registry.by_name(each.format).clients)],
        _of_owner(ctx, stores, name),
    ):
        if len(candidates) > 1:
            raise wording.ambiguous(name, [each.name for each in candidates])
        if candidates:
            return candidates[0]
    try:
        store = catalog.find_attached(ctx, name)
    except Refused as refusal:
        raise wording.unknown(name, [each.name for each in stores]) from refusal
    if store.format == NATIVE:
        raise wording.own_store()
    return store


def agent_of(ctx: Context, name: str) -> str:
    """Return the agent that a name means: one that owns memories, has a policy or is connected; "" if the
    name is that of an attached store or its program, or nobody's. By default a program's agent has its
    name: it is meant where no store is."""
    name = " ".join(clean(name).split())
    stores = catalog.attached(ctx)
    formats = {each.format for each in stores} - {NATIVE}
    clients = {client for each in formats for client in registry.by_name(each).clients}
    if name in {NATIVE, *(each.name for each in stores), *formats, *clients}:
        return ""
    owns = ctx.db.one(
        "SELECT 1 FROM memories WHERE owner = ? AND shown AND removed_at IS NULL LIMIT 1", (name,)
    )
    governed = {folded(each.agent) for each in holding.listed(ctx)}
    connected = {folded(each.agent) for each in rows.listed(ctx)}
    return name if owns or folded(name) in governed | connected else ""


def _of_owner(ctx: Context, stores: Sequence[StoreRow], owner: str) -> list[StoreRow]:
    ids = {row[0] for row in ctx.db.rows(_OF_OWNER, (owner, json.dumps([each.id for each in stores])))}
    return [each for each in stores if each.id in ids]
