"""The rows of policies (S-61); `changes/own_records/own_states.py` journals their changes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.policies.policy import Policy, fields_of, folded, from_fields
from memtui.values import Fields
from memtui.workspace.db.models import PolicyRow

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_PROJECT = "project"  # the part of a project's policy that names it


def kept(ctx: Context) -> list[Policy]:
    """Return the policies that a person set in this workspace, by agent."""
    found = [row for row in ctx.db.matching(PolicyRow) if not row.source]
    return [_policy(row) for row in sorted(found, key=lambda row: row.name)]


def of_files(ctx: Context) -> list[Policy]:
    """Return the policies of projects' files, by file and agent."""
    found = [row for row in ctx.db.matching(PolicyRow) if row.source]
    return [_policy(row) for row in sorted(found, key=lambda row: (row.source, row.name))]


def key_of(policy: Policy) -> str:
    """Return what a policy is journaled under: the folded name, for that of a file with its path."""
    return "\n".join(filter(None, (folded(policy.agent), policy.source)))


def journaled(policy: Policy) -> Fields:
    """Return the fields of a policy as it is kept and journaled."""
    return {**fields_of(policy), **({_PROJECT: policy.project} if policy.source else {})}


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the policy with this key, {} if there is none."""
    name, _, source = key.partition("\n")
    row = ctx.db.first(PolicyRow.select().where((PolicyRow.name == name) & (PolicyRow.source == source)))
    return {} if row is None else dict(json.loads(row.parts))


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them."""
    name, _, source = key.partition("\n")
    if fields:
        parts = json.dumps(fields, ensure_ascii=False)
        ctx.db.write(PolicyRow.insert(name=name, source=source, parts=parts).on_conflict_replace())
    else:
        where = (PolicyRow.name == name) & (PolicyRow.source == source)
        ctx.db.write(PolicyRow.delete().where(where))


def _policy(row: PolicyRow) -> Policy:
    fields = json.loads(row.parts)
    return replace(from_fields(fields), source=row.source, project=fields.get(_PROJECT, ""))
