"""Policies as JSON (S-82): each as it is kept, and what holds where several meet."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.policies import judging
from memtui.memory.policies.policy import Policy, expiry_text, fields_of
from memtui.values import JsonObject


def policy_as_json(policy: Policy, refused_today: int) -> JsonObject:
    """Return a policy; "store" is null for one of the workspace, which holds in every store, "source" the
    project's file that it comes from, or null. Of "read", "write" and "categories" null is all; "unread"
    names what of a store's policy does not hold."""
    return {
        "name": policy.name,
        "store": policy.store or None,
        "source": policy.source or None,
        **fields_of(policy),
        "unread": list(policy.unread),
        "refused_today": refused_today,
    }


def holding_as_json(agent: str, store: str, policies: Sequence[Policy]) -> JsonObject:
    """Return what holds for an agent in a store, "" in every one, each part with the policy that it is
    from."""
    parts: JsonObject = {"agent": agent, "store": store or None}
    for name, part in judging.holding(policies).items():
        if name == "expiry":
            value: object = expiry_text(Policy(agent, expiry=part.value))  # type: ignore[arg-type]
        else:
            value = None if part.value is None else list(part.value)  # type: ignore[arg-type]
        parts[name] = {"value": value, "policy": part.policy or None}
    return parts
