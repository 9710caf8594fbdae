"""Every sentence of `memtui policies` and `memtui recall`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.policies.judging import Part
from memtui.memory.policies.policy import NONE, Policy, expiry_text
from memtui.text import counted, listed

NO_POLICIES = "No policies yet. Set one: memtui policies set AGENT --read fleet --write private"
NOTHING_BREACHES = "All memories fit the policies."
NOTHING_RECALLED = "Nothing that this agent may read answers that."


def contradicted(others: Sequence[str]) -> str:
    """What stands before a memory that others contradict."""
    return f"[contradicted by {listed(list(others))}]"


def policy(policy: Policy, refused_today: int) -> str:
    parts = [
        _scopes("reads", policy.read),
        _scopes("writes", policy.write),
        f"to {policy.writes_to}" if policy.writes_to else "",
        _texts("at most", tuple(each.text for each in policy.limits)),
        f"expires after {expiry_text(policy)}" if policy.expiry is not None else "",
        _texts("no keys like", policy.sensitive),
        _texts("only categories", policy.categories or ()),
        _texts("unreadable:", policy.unread),
        f"refused {counted(refused_today, 'time')} today" if refused_today else "",
        f"from {policy.source}" if policy.source else "",
    ]
    return f"{policy.name}: {' · '.join(filter(None, parts))}"


def together(agent: str, store: str, holding: Mapping[str, Part]) -> str:
    """Return what holds where the policy of a store, or of a project's file, meets another one."""
    expiry = holding["expiry"].value
    texts = {name: part.value for name, part in holding.items() if isinstance(part.value, tuple)}
    parts = {
        "read": _scopes("reads", texts.get("read")),
        "write": _scopes("writes", texts.get("write")),
        "writes_to": _texts("to", texts["writes_to"]),
        "most": _texts("at most", texts["most"]),
        "expiry": f"expires after {expiry:g}d" if isinstance(expiry, float) else "",
        "sensitive": _texts("no keys like", texts["sensitive"]),
        "categories": _texts("only categories", texts.get("categories", ())),
    }
    stated = [
        f"{text} ({holding[name].policy})" for name, text in parts.items() if text and holding[name].policy
    ]
    return f"{agent} in {store or 'every store'}, the stricter: {' · '.join(stated)}"


def _scopes(verb: str, scopes: Sequence[str] | None) -> str:
    return f"{verb} {'all' if scopes is None else ', '.join(scopes) or NONE}"


def _texts(what: str, texts: Sequence[str]) -> str:
    return f"{what} {', '.join(texts)}" if texts else ""
