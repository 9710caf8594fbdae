"""Setting and removing policies: each is one journal entry that can be undone (S-61)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memtui.memory.policies import policy, wording
from memtui.memory.policies.policy import EVERY, MOST, Policy, agent_name, folded
from memtui.memory.results import Change
from memtui.memory.rules.file.wording_project import from_file
from memtui.workspace.changes import own_states
from memtui.workspace.journal.items import POLICY
from memtui.workspace.policies import rows

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def put(
    ctx: Context,
    agent: str,
    *,
    read: Sequence[str] | None = None,
    write: Sequence[str] | None = None,
    most: Sequence[str] | None = None,
    expiry: str | None = None,
    sensitive: Sequence[str] | None = None,
    categories: Sequence[str] | None = None,
) -> Change:
    """Set the given parts of an agent's policy, as they are typed; what is None stays."""
    ctx.writable()
    name = EVERY if agent.strip() == EVERY else agent_name(agent)
    kept = {folded(each.agent): each for each in rows.kept(ctx)}
    before = kept.get(folded(name))
    if before is None and len(kept) >= MOST:
        raise wording.too_many(MOST)
    new = before or Policy(name)
    if read is not None:
        new = replace(new, read=policy.scopes(read))
    if write is not None:
        new = replace(new, write=policy.scopes(write))
    if most is not None:
        new = replace(new, limits=policy.limits(most))
    if expiry is not None:
        new = replace(new, expiry=policy.expiry(expiry))
    if sensitive is not None:
        new = replace(new, sensitive=policy.patterns(sensitive))
    if categories is not None:
        new = replace(new, categories=policy.categories(categories))
    if new in (before, Policy(new.agent)) and before in (None, new):
        raise wording.nothing_given()
    return _change(ctx, "policy-set", wording.was_set(new.agent), new, policy.fields_of(new))


def remove(ctx: Context, agent: str) -> Change:
    """Remove an agent's policy; those that stores state stay."""
    ctx.writable()
    kept = rows.kept(ctx)
    found = next((each for each in kept if folded(each.agent) == folded(agent)), None)
    if found is None:
        for theirs in rows.of_files(ctx):
            if folded(agent) in (folded(theirs.agent), folded(theirs.name)):
                raise from_file(theirs.name, theirs.source)
        raise wording.no_policy(agent, [each.agent for each in kept])
    return _change(ctx, "policy-removed", wording.was_removed(found.agent), found, {})


def _change(ctx: Context, kind: str, summary: str, about: Policy, fields: dict[str, object]) -> Change:
    own = int(ctx.db.one("SELECT id FROM stores WHERE format = 'native'"))
    state = own_states.State(POLICY, folded(about.agent), own, fields)
    return Change(kind, (), summary, own_states.change(ctx, kind, summary, [state]))
