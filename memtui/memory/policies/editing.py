"""What setting parts of a policy makes of it, as they are typed; pure functions (S-61)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from memtui.memory.policies import policy, wording
from memtui.memory.policies.policy import EVERY, MOST, Policy, agent_name, folded


class Parts(TypedDict, total=False):
    """Parts of a policy as they are typed: ["private", "fleet"], ["all"], ["none"]; ["fleet=20:weakest"];
    "30d", "never"; ["password:*"]; the name of a store, "" for none. What is missing or None stays."""

    read: Sequence[str] | None
    write: Sequence[str] | None
    most: Sequence[str] | None
    expiry: str | None
    sensitive: Sequence[str] | None
    categories: Sequence[str] | None
    writes_to: str | None


def with_parts(before: Policy, parts: Parts) -> Policy:
    """Return a policy with the given parts; raise Refused for what cannot be one."""
    new = before
    if (read := parts.get("read")) is not None:
        new = replace(new, read=policy.scopes(read))
    if (write := parts.get("write")) is not None:
        new = replace(new, write=policy.scopes(write))
    if (most := parts.get("most")) is not None:
        new = replace(new, limits=policy.limits(most))
    if (expiry := parts.get("expiry")) is not None:
        new = replace(new, expiry=policy.expiry(expiry))
    if (sensitive := parts.get("sensitive")) is not None:
        new = replace(new, sensitive=policy.patterns(sensitive))
    if (categories := parts.get("categories")) is not None:
        new = replace(new, categories=policy.categories(categories))
    if (store := parts.get("writes_to")) is not None:
        new = replace(new, writes_to=policy.store_name(store))
    return new


def find(kept: Sequence[Policy], agent: str) -> Policy | None:
    """Return the policy of an agent, by any spelling of its name."""
    return next((each for each in kept if folded(each.agent) == folded(agent)), None)


def name_of(agent: str) -> str:
    """Return the name of an agent or `EVERY`; raise Refused for what cannot be one."""
    return EVERY if agent.strip() == EVERY else agent_name(agent)


def put(kept: Sequence[Policy], agent: str, instead_of: str | None, parts: Parts) -> Policy:
    """Return an agent's policy with the given parts, a new one if it has none among the `kept` ones; the one
    of `instead_of`, if given, becomes this agent's. Raise Refused if nothing would change, or for what cannot
    be."""
    name = name_of(agent)
    before = find(kept, name if instead_of is None else instead_of)
    if before is None and instead_of is not None:
        raise wording.no_policy(instead_of, [each.agent for each in kept])
    if instead_of is not None and find(kept, name) not in (None, before):
        raise wording.has_policy(name)
    if before is None and len(kept) >= MOST:
        raise wording.too_many(MOST)
    old = before or Policy(name)
    new = with_parts(old if instead_of is None else replace(old, agent=name), parts)
    if new in (before, Policy(new.agent)) and before in (None, new):
        raise wording.nothing_given()
    return new
