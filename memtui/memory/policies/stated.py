"""A policy as a store states it: what its format reads of it, as JSON beside the mirror's records (S-61)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from memtui.errors import Refused
from memtui.memory.memory import SCOPES
from memtui.memory.policies import policy
from memtui.memory.policies.policy import Limit, Policy

SCOPES_OF, MOST, EXPIRY, PATTERNS = "scopes", "most", "expiry", "patterns"
MOST_READ = 500  # patterns
UNREAD = "unread"  # the code of a part that cannot be read, where policies are checked


def dump(scopes: Sequence[str] | None, most: str, expiry: str, patterns: Sequence[str]) -> str:
    """Return what a store states as JSON: scopes, None for all; the most memories in each, and the expiry,
    as texts, "" if not stated; patterns of sensitive keys."""
    listed = None if scopes is None else list(scopes)
    return json.dumps({SCOPES_OF: listed, MOST: most, EXPIRY: expiry, PATTERNS: list(patterns)})


def load(agent: str, store: str, data: str) -> Policy:
    """Return the policy of such JSON; what cannot be understood does not hold, and is named."""
    stated, unread = json.loads(data), []

    def read(name: str, parse: Callable[[Any], Any], otherwise: Any) -> Any:
        try:
            return parse(stated[name]) if stated[name] else otherwise
        except Refused:
            unread.append(name)
            return otherwise

    scopes = stated[SCOPES_OF]
    allowed = None if scopes is None else tuple(dict.fromkeys(scopes))
    most = read(MOST, lambda text: policy.limits(f"{scope}={text}" for scope in SCOPES), ())
    limits: tuple[Limit, ...] = tuple(most)
    expiry = read(EXPIRY, policy.expiry, None)
    patterns = tuple(each for each in stated[PATTERNS] if policy.is_pattern(each))[:MOST_READ]
    if len(patterns) < len(stated[PATTERNS]):
        unread.append(PATTERNS)
    return Policy(agent, allowed, allowed, limits, expiry, patterns, None, store, tuple(unread))
