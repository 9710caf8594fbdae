"""The most memories that an agent may have in a scope: beyond it a write is refused, or the weakest leaves
(S-61)."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused, Refused
from memtui.memory.policies import judging, wording
from memtui.memory.policies.policy import REFUSE, folded
from memtui.memory.results import Change
from memtui.workspace.changes import undo, verbs
from memtui.workspace.policies.reading import COUNTS_IN
from memtui.workspace.remember.asked import Asked

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_OWNERS = "SELECT DISTINCT owner FROM memories WHERE live = 1 AND owner <> ''"
# What a store tells of another memory that was added is no memory of its own.
_COUNTED = "(m.kind <> 'episode' OR m.store_id IN (SELECT id FROM stores WHERE format = 'native'))"
_OWNED = f"m.live = 1 AND {_COUNTED} AND m.owner IN (SELECT value FROM json_each(?)) AND {COUNTS_IN}"
_WHERE = f"{_OWNED} AND (? = '' OR m.store_id = ?) AND m.id NOT IN (SELECT value FROM json_each(?))"
_COUNT = f"SELECT count(*) FROM memories m WHERE {_WHERE}"
# The least sure first, then the longest unused. What is pinned stays.
_WEAKEST = (
    f"SELECT m.id FROM memories m JOIN stores s ON s.id = m.store_id WHERE {_WHERE} "
    "AND m.pinned = 0 AND s.locked = 0 ORDER BY coalesce(m.confidence, 0.5), "
    "coalesce(m.last_used_at, m.updated_at, m.created_at, m.seen_at), m.id LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Leaving:
    """Memories that have to leave under a policy, for one more to come."""

    policy: str
    ids: tuple[int, ...]


def room(ctx: Context, write: Asked) -> list[Leaving]:
    """Return which memories have to leave for this one; raise PolicyRefused where there is no room."""
    leaving: list[Leaving] = []
    owners = _spellings(ctx, write.agent)
    for policy, limit in judging.limits_on(write.policies, write.scope):
        chosen = [id for each in leaving for id in each.ids]
        where = (owners, limit.scope, policy.store, write.store.id, json.dumps(chosen))
        over = int(ctx.db.one(_COUNT, where)) + 1 - limit.most
        if over > 0:
            weakest = ctx.db.rows(_WEAKEST, (*where, over))
            ids = () if limit.beyond == REFUSE else tuple(int(id) for (id,) in weakest)
            if len(ids) < over:
                raise wording.limit_reached(policy.name, write.agent, limit.scope, limit.most)
            leaving.append(Leaving(policy.name, ids))
    return leaving


def _spellings(ctx: Context, agent: str) -> str:
    """Return, as JSON, the names that owners have which are this agent's in another spelling: a limit holds
    for all of them together."""
    return json.dumps([owner for (owner,) in ctx.db.rows(_OWNERS) if folded(owner) == folded(agent)])


def leave(ctx: Context, leaving: Sequence[Leaving]) -> list[int]:
    """Dismiss them, with the policy as the actor, and return their rows; each policy's are a change of their
    own. Raise PolicyRefused where a store keeps one of them: then none has left."""
    done: list[tuple[Context, Change]] = []
    try:
        for each in leaving:
            by_policy = copy.copy(ctx)
            by_policy.actor = f"policy:{each.policy}"
            try:
                change = verbs.take_out(by_policy, "dismiss", each.ids)
            except Refused as refusal:
                raise wording.no_room(each.policy, refusal.message) from refusal
            done.append((by_policy, change))
            if change.skipped:
                raise wording.no_room(each.policy, change.skipped[0].reason)
    except (PolicyRefused, OSError):
        for by_policy, change in reversed(done):
            with suppress(Refused):
                undo.undo(by_policy, change.journal_id)
        raise
    return [id for _, change in done for id in change.ids]
