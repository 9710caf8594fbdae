"""What policies would not let their agents write if it were not there already; changes nothing (S-61)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.memory.memory import Memory
from memtui.memory.policies import judging
from memtui.memory.policies.policy import Policy, scope_of
from memtui.memory.policies.stated import UNREAD
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.policies import holding

if TYPE_CHECKING:
    from memtui.workspace.context import Context

_OWNERS = "SELECT DISTINCT owner FROM memories WHERE live = 1 AND owner <> ''"
_OF_OWNER = "SELECT id FROM memories WHERE live = 1 AND owner = ? ORDER BY id LIMIT ? OFFSET ?"
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Breaching:
    """How much of what is stored a policy does not allow, by code: scope, category, sensitive-key, limit."""

    policy: str
    code: str
    count: int
    detail: str = ""


def check(ctx: Context, policies: Sequence[Policy] | None = None) -> list[Breaching]:
    """Return what does not fit the policies, by default all of them, and what of them cannot be read."""
    policies = holding.listed(ctx) if policies is None else policies
    found = [
        Breaching(each.name, UNREAD, len(each.unread), ", ".join(each.unread))
        for each in policies
        if each.unread
    ]
    for (owner,) in ctx.db.rows(_OWNERS):
        if own := judging.for_agent(policies, owner):
            found += _of_owner(ctx, owner, own)
    return sorted(found, key=lambda each: (each.policy, each.code, each.detail))


def misfits(ctx: Context, policies: Sequence[Policy]) -> list[int]:
    """Return for each policy, whether it holds already or not, how many of the stored memories it would
    refuse, but for its limits."""
    counts = [0] * len(policies)
    for (owner,) in ctx.db.rows(_OWNERS):
        own = [(n, each) for n, each in enumerate(policies) if judging.for_agent([each], owner)]
        for row in _rows(ctx, owner) if own else ():
            for number, policy in own:
                counts[number] += bool(_codes(policy, row.memory))
    return counts


def _of_owner(ctx: Context, owner: str, policies: Sequence[Policy]) -> list[Breaching]:
    breaching: Counter[tuple[str, str]] = Counter()
    held: Counter[tuple[str, str]] = Counter()
    for row in _rows(ctx, owner):
        for policy in judging.in_store(policies, row.memory.store):
            breaching.update((policy.name, code) for code in _codes(policy, row.memory))
            held[policy.name, scope_of(row.memory.scope, owner)] += 1
    for policy in policies:
        for limit in policy.limits:
            if (over := held[policy.name, limit.scope] - limit.most) > 0:
                breaching[policy.name, "limit"] += over
    return [Breaching(name, code, count) for (name, code), count in breaching.items()]


def _rows(ctx: Context, owner: str) -> Iterator[MirrorRow]:
    at = 0
    while ids := [row[0] for row in ctx.db.rows(_OF_OWNER, (owner, _BATCH, at))]:
        at += len(ids)
        yield from memory_rows.load(ctx.db, ids)


def _codes(policy: Policy, memory: Memory) -> list[str]:
    one = (policy,)
    names = [memory.key or "", memory.title or "", memory.subject or ""]
    found = {
        "scope": judging.against_scope(one, scope_of(memory.scope, memory.owner)),
        "category": judging.against_category(one, memory.category or ""),
        "sensitive-key": judging.against_names(one, names),
    }
    return [code for code, against in found.items() if against]
