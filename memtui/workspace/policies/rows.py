"""The rows of policies (S-61); `changes/own_states.py` journals their changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.policies.policy import Policy, from_fields
from memtui.values import Fields
from memtui.workspace.db.models import PolicyRow

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def kept(ctx: Context) -> list[Policy]:
    """Return the policies of this workspace, by agent."""
    rows = ctx.db.fetch(PolicyRow.select().order_by(PolicyRow.name))
    return [from_fields(json.loads(row.parts)) for row in rows]


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the policy with the folded name `key`, {} if there is none."""
    row = ctx.db.find(PolicyRow, key)
    return {} if row is None else dict(json.loads(row.parts))


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them."""
    if fields:
        parts = json.dumps(fields, ensure_ascii=False)
        ctx.db.write(PolicyRow.insert(name=key, parts=parts).on_conflict_replace())
    else:
        ctx.db.write(PolicyRow.delete().where(PolicyRow.name == key))
