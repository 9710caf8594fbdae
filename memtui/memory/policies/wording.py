"""Every sentence about policies and about what they refuse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.errors import PolicyRefused, Refused
from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.text import counted, listed

NOT_SET = "The policy was not changed."
NOT_WRITTEN = "Nothing was written."
# Policies that hold for every agent.
OWN, SECRETS, DISMISSED = "own memories", "no secrets", "dismissed memories"
RULE = "rule"  # the code of what a rule refuses; its name stands in the place of a policy's


def bad_agent(most: int) -> Refused:
    reason = f"An agent's name has 1 to {most} visible characters, and no secret."
    return Refused("agent", reason, "Nothing was changed.")


def bad_scopes(given: Iterable[str], known: Sequence[str]) -> Refused:
    names = ", ".join(known)
    scopes = ", ".join(f"“{each}”" for each in given)
    return Refused("scope", f"There is no scope {scopes}. Scopes: {names}; or all, or none.", NOT_SET)


def bad_limit(text: str) -> Refused:
    reason = f"“{text}” is not a limit; for example fleet=20, or fleet=20:weakest, once for each scope."
    return Refused("limit", reason, NOT_SET)


def bad_expiry(text: str) -> Refused:
    return Refused("expiry", f"“{text}” is not an expiry; for example 30d, or never.", NOT_SET)


def bad_pattern(most: int, length: int) -> Refused:
    return Refused(
        "pattern",
        f"A policy has at most {most} patterns of sensitive keys, each of 1 to {length} visible characters.",
        NOT_SET,
    )


def bad_categories(length: int) -> Refused:
    return Refused("category", f"Categories have 1 to {length} visible characters; or all.", NOT_SET)


def bad_store(length: int) -> Refused:
    reason = f"A store is named by 1 to {length:,} visible characters; “” is memtui's own."
    return Refused("no-store", reason, NOT_SET)


def store_gone(agent: str, store: str) -> Refused:
    reason = f"{store}, the store that {agent} writes to, is not attached."
    return Refused("no-store", reason, f"Attach it, or: memtui policies set {agent} --store native")


def nothing_given() -> Refused:
    return Refused("no-change", "The policy is like that already.", "Nothing was changed.")


def no_policy(agent: str, known: Sequence[str]) -> Refused:
    hint = f"Policies: {', '.join(known)}." if known else "There are no policies yet: memtui policies set."
    return Refused("no-policy", f"There is no policy for “{agent}”.", hint)


def has_policy(agent: str) -> Refused:
    return Refused("agent", f"There is a policy for “{agent}” already.", NOT_SET)


def too_many(most: int) -> Refused:
    return Refused("too-many", f"A workspace has at most {most} policies.", NOT_SET)


# -- what was done


def was_set(agent: str) -> str:
    return f"Set the policy for {agent}"


def was_removed(agent: str) -> str:
    return f"Removed the policy for {agent}"


# -- what is refused; nothing that the agent wrote is repeated


def scope_refused(policy: str, agent: str, scope: str, allowed: Sequence[str]) -> PolicyRefused:
    may = f"It may write: {', '.join(allowed)}." if allowed else "It may write nothing."
    reason = f"The policy “{policy}” doesn't let {agent} write memories of scope {scope}."
    return PolicyRefused("scope", policy, reason, may)


def category_refused(policy: str, agent: str, allowed: Sequence[str]) -> PolicyRefused:
    reason = f"The policy “{policy}” doesn't let {agent} write memories of this category."
    return PolicyRefused("category", policy, reason, f"It may write: {', '.join(allowed)}.")


def key_refused(policy: str, agent: str, pattern: str) -> PolicyRefused:
    reason = f"The policy “{policy}” doesn't let {agent} write keys like {pattern}."
    return PolicyRefused("sensitive-key", policy, reason, NOT_WRITTEN)


def limit_reached(policy: str, agent: str, scope: str, most: int) -> PolicyRefused:
    reason = f"The policy “{policy}” lets {agent} have at most {counted(most, 'memory')} of scope {scope}."
    return PolicyRefused("limit", policy, reason, NOT_WRITTEN)


def no_room(policy: str, reason: str) -> PolicyRefused:
    return PolicyRefused("limit", policy, f"The limit of the policy “{policy}” is reached.", reason)


def read_refused(policies: Sequence[str], agent: str) -> PolicyRefused:
    first, *others = policies
    if not others:
        return PolicyRefused("read", first, f"The policy “{first}” doesn't let {agent} read anything.")
    names = listed([f"“{each}”" for each in policies])
    return PolicyRefused("read", first, f"The policies {names} let {agent} read no scope in common.")


def other_owner(agent: str) -> PolicyRefused:
    reason = f"The policy “{OWN}” doesn't let {agent} write memories of another owner."
    return PolicyRefused("owner", OWN, reason, NOT_WRITTEN)


def others_memory(agent: str) -> PolicyRefused:
    reason = f"The policy “{OWN}” doesn't let {agent} change memories of another owner."
    return PolicyRefused("owner", OWN, reason, "Nothing was changed. Store what you know as your own memory.")


def out_of_use(agent: str, status: str) -> PolicyRefused:
    reason = f"The policy “{DISMISSED}” doesn't let {agent} write this key: its memory is {status}."
    return PolicyRefused("dismissed", DISMISSED, reason, f"{NOT_WRITTEN} Store it under another key.")


def not_there() -> Refused:
    """Return what an agent is told of a memory that is not there, and of one that it may not read."""
    return Refused("no-memory", "There is no such memory.", "Find memories and their ids with memory_recall.")


def several_there(uids: Sequence[str]) -> Refused:
    reason = f"{counted(len(uids), 'memory')} have this key."
    return Refused("ambiguous", reason, f"Name one by its id: {', '.join(uids)}.")


def needs_a_person(status: str) -> Refused:
    reason = f"This memory is {status}: a person has to confirm it first."
    return Refused("status", reason, "Nothing was changed.")


def says_nothing() -> Refused:
    return Refused("content", "A memory needs a text.", "Nothing was changed. Give its content.")


def has_secret(agent: str, kind: str) -> PolicyRefused:
    reason = f"The policy “{SECRETS}” refuses this memory of {agent}: it contains a secret ({kind})."
    return PolicyRefused("secret", SECRETS, reason, NOT_WRITTEN)


def by_rule(rule: str, agent: str) -> PolicyRefused:
    return PolicyRefused(RULE, rule, f"The rule “{rule}” refuses this memory of {agent}.", NOT_WRITTEN)


def refused(agent: str, policy: str, code: str) -> str:
    """Return the line of the journal about what was refused."""
    if code == RULE:
        return f"Refused a write of {agent} by the rule “{policy}”"
    return f"Refused {_ASKED.get(code, 'a write')} of {agent} by the policy “{policy}” ({code})"


def refused_today(agent: str, policy: str, count: int, *, rule: bool) -> str:
    kind = "rule" if rule else "policy"
    return f"{agent} was refused {counted(count, 'time')} today by the {kind} “{policy}”"


_ASKED = {"read": "a recall"}


# -- what is stored already


def breaching(code: str, count: int, detail: str, agent: str) -> str:
    """Return what of an agent's stored memories a policy would refuse, or what of it cannot be read."""
    if code in _BREACHING:
        return f"{counted(count, 'memory')}{f' of {agent}' if agent else ''} {_BREACHING[code]}"
    return f"cannot be read, and does not hold: {detail}"


_BREACHING = {
    "scope": "in a scope that may not be written",
    "category": "in a category that isn't allowed",
    "sensitive-key": "with a sensitive key",
    "limit": "over the limit",
}


# -- what became of a write


def known_already(agent: str, store: str) -> str:
    return f"{store} has this memory of {agent} already"


def made_room(uids: Sequence[str]) -> str:
    return f"Dismissed {counted(len(uids), 'memory')} to stay within the limit: {', '.join(uids)}"


def meets(family: str, uid: str, reason: str) -> str:
    return f"{'Contradicts' if family == CONTRADICTION else 'Repeats'} {uid}: {reason}"


WAITS = "Waits for a person to confirm it"
