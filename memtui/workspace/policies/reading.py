"""What an agent's policies let it read, as a condition on the rows of memories (S-34, S-61)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.memory.policies import judging, wording
from memtui.memory.policies.policy import Policy, agent_name
from memtui.values import SqlValue
from memtui.workspace.policies import breaches, holding

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_UNSCOPED = "iif(coalesce(m.owner, '') = '', 'fleet', 'private')"
# As `policy.scope_of` says.
SCOPE = f"coalesce(nullif(m.scope, ''), {_UNSCOPED})"
# A memory counts in the scope that it was written in even where a rule has set another: else a limit on that
# would never be reached.
COUNTS_IN = (
    f"? IN (SELECT {SCOPE} UNION ALL SELECT coalesce(nullif(b.scope_was, ''), {_UNSCOPED}) FROM rule_bases b "
    "WHERE b.memory_id = m.id AND b.scope_set AND b.scope_now IS m.scope)"
)


def allowed(ctx: Context, agent: str) -> tuple[list[str], list[SqlValue]]:
    """Return what `visible` returns; raise PolicyRefused, and journal it, if an agent may read nothing at
    all."""
    policies = holding.of(ctx, agent)
    everywhere = [each for each in policies if not each.store]
    readable = judging.holding(everywhere)["read"]
    if readable.value == ():
        with breaches.journaled(ctx, agent_name(agent)):
            raise wording.read_refused(readable.policies, agent)
    return _conditions(agent, policies)


def visible(ctx: Context, agent: str) -> tuple[list[str], list[SqlValue]]:
    """Return the conditions on `m` that an agent may read a memory, all of which have to hold, and what is
    bound in them: it is its own, nobody's or the fleet's, in a scope that each policy lets it read."""
    return _conditions(agent, holding.of(ctx, agent))


def _conditions(agent: str, policies: Sequence[Policy]) -> tuple[list[str], list[SqlValue]]:
    parts, bindings = ["(m.owner IS NULL OR m.owner = ? OR m.scope = 'fleet')"], list[SqlValue]([agent])
    for policy in policies:
        if policy.read is None:
            continue
        within = f"{SCOPE} IN ({', '.join('?' for _ in policy.read)})"
        if policy.store:
            within = f"({within} OR m.store_id <> (SELECT id FROM stores WHERE name = ?))"
        parts.append(within)
        bindings += [*policy.read, *([policy.store] if policy.store else [])]
    return parts, bindings


def may_read(ctx: Context, agent: str, id: int) -> bool:
    """Return whether an agent may read one memory."""
    return bool(readable(ctx, agent, [id]))


def readable(ctx: Context, agent: str, ids: Sequence[int]) -> set[int]:
    """Return those of these memories that an agent may read."""
    parts, bindings = visible(ctx, agent)
    listed = "m.id IN (SELECT value FROM json_each(?))"
    sql = f"SELECT m.id FROM memories m WHERE {listed} AND {' AND '.join(parts)}"
    return {id for (id,) in ctx.db.rows(sql, (json.dumps(list(ids)), *bindings))}
