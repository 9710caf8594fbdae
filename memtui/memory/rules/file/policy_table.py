"""A `[[policy]]` of a rules file: what it does not state, it leaves to the agent (S-61, S-63)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from memtui.errors import Refused
from memtui.memory.policies import policy
from memtui.memory.policies.policy import EVERY, NONE, Policy, agent_name
from memtui.memory.rules.file import project
from memtui.memory.rules.file.places import Block
from memtui.memory.rules.file.problems import Problems, place
from memtui.values import Json, JsonObject

T = TypeVar("T")
AGENT, READ, WRITE, MOST, EXPIRY = "agent", "read", "write", "most", "expiry"
SENSITIVE, CATEGORIES, STORE = "sensitive", "categories", "store"
KEYS = (AGENT, READ, WRITE, STORE, MOST, EXPIRY, SENSITIVE, CATEGORIES)


def read(block: Block, table: JsonObject, problems: Problems, *, of_project: bool) -> Policy | None:
    """Return the policy of a table, None with a problem."""
    before = len(problems)
    problems.unknown_keys(block, table, KEYS)
    agent = problems.text_of(block, table, AGENT, _agent)

    def listed(key: str, parse: Callable[[Sequence[str]], T], otherwise: T) -> T:
        """Return the value of a list, `otherwise` if there is none or it has a problem."""
        if key not in table:
            return otherwise
        texts = problems.texts_of(block, table, key, lambda text: parse([text]))
        try:
            return otherwise if texts is None else parse(texts)
        except Refused as refused:  # together they are none
            problems.add(place(block, key), refused.reason)
        return otherwise

    def limits(texts: Iterable[str]) -> tuple[policy.Limit, ...]:
        found = policy.limits(texts)
        if of_project:
            project.require_no_leaving(found)
        return found

    def end(text: str) -> str:
        policy.expiry(text)
        return text

    def store(text: str) -> str:
        if of_project:
            raise project.no_store()
        return policy.store_name(text)

    expiry = problems.text_of(block, table, EXPIRY, end) if EXPIRY in table else ""
    made = Policy(
        agent,
        listed(READ, policy.scopes, None),
        listed(WRITE, policy.scopes, None),
        listed(MOST, limits, ()),
        policy.expiry(expiry) if expiry else None,
        listed(SENSITIVE, policy.patterns, ()),
        listed(CATEGORIES, policy.categories, None),
        writes_to=problems.text_of(block, table, STORE, store) if STORE in table else "",
    )
    return made if len(problems) == before else None


def values(of: Policy) -> dict[str, Json]:
    """Return the keys of a policy in their order, without those that say nothing."""
    stated: dict[str, Json] = {
        AGENT: of.agent,
        READ: _scopes(of.read),
        WRITE: _scopes(of.write),
        STORE: of.writes_to or None,
        MOST: [each.text for each in of.limits] or None,
        EXPIRY: None if of.expiry is None else policy.expiry_text(of),
        SENSITIVE: list(of.sensitive) or None,
        CATEGORIES: None if of.categories is None else list(of.categories),
    }
    return {key: value for key, value in stated.items() if value is not None}


def _scopes(scopes: tuple[str, ...] | None) -> Json:
    return None if scopes is None else list(scopes) or NONE


def _agent(text: str) -> str:
    return EVERY if text.strip() == EVERY else agent_name(text)
