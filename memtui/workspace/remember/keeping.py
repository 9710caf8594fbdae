"""Setting and removing policies: each is one journal entry that can be undone (S-61)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.memory.policies import editing, policy, wording
from memtui.memory.policies.editing import Parts
from memtui.memory.policies.policy import folded
from memtui.memory.results import Change
from memtui.memory.rules.file.wording_project import from_file
from memtui.values import Fields
from memtui.workspace.changes.own_records import own_states
from memtui.workspace.journal.items import POLICY
from memtui.workspace.policies import rows
from memtui.workspace.stores import catalog

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def put(ctx: Context, agent: str, instead_of: str | None, parts: Parts) -> Change:
    """Set the given parts of an agent's policy; that of `instead_of` becomes this agent's."""
    ctx.writable()
    if (store := parts.get("writes_to")) and policy.store_name(store):
        parts = {**parts, "writes_to": catalog.find_attached(ctx, store).name}
    new = editing.put(rows.kept(ctx), agent, instead_of, parts)
    kept = {folded(new.agent): policy.fields_of(new)}
    if instead_of is not None and folded(instead_of) not in kept:
        kept = {folded(instead_of): {}, **kept}
    return _change(ctx, "policy-set", wording.was_set(new.agent), kept)


def remove(ctx: Context, agent: str) -> Change:
    """Remove an agent's policy; those that stores state stay."""
    ctx.writable()
    kept = rows.kept(ctx)
    found = editing.find(kept, agent)
    if found is None:
        for theirs in rows.of_files(ctx):
            if folded(agent) in (folded(theirs.agent), folded(theirs.name)):
                raise from_file(theirs.name, theirs.source)
        raise wording.no_policy(agent, [each.agent for each in kept])
    return _change(ctx, "policy-removed", wording.was_removed(found.agent), {folded(found.agent): {}})


def _change(ctx: Context, kind: str, summary: str, kept: Mapping[str, Fields]) -> Change:
    """Set the fields of policies by their folded names, as one entry."""
    own = int(ctx.db.one("SELECT id FROM stores WHERE format = 'native'"))
    states = [own_states.State(POLICY, name, own, fields) for name, fields in kept.items()]
    return Change(kind, (), summary, own_states.change(ctx, kind, summary, states))
