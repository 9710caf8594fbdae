"""Every sentence about policies on the Rules screen and in their form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.memory.policies.policy import EVERY, WEAKEST, Limit, Policy
from memtui.tui.text.glyphs import counted, grouped

# The list.
AGENTS, POLICY, RULE = "Agents", "Policy", "Rule"
EVERY_AGENT = "every agent"
HERE = "this workspace"
LIMITS_NOTHING = "limits nothing"
UNREADABLE, REFUSES = "! bad", "×"

# The text of a policy.
WHAT_FOR = (
    "A policy says which scopes an agent reads and writes, how many memories it may have, when they expire, "
    "and which keys and categories it may write."
)
HOW_IT_HOLDS = (
    "It holds at once, for every write and every question of the agent; “*” is every agent. Where several "
    "policies meet, the stricter one holds. What they refuse is listed here and in the Journal. You are "
    "under no policy."
)
ALWAYS = "In any case an agent writes no memory of another owner, and no secret."
REFUSED, STORED = "Refused in the last 30 days", "Already stored, but would be refused now"
NOTHING_REFUSED = "Nothing."
NOTHING = "nothing"
ALL_FIT = "Nothing: all its memories fit."
CHECKING = "Checking its memories …"
NOT_CHECKED = "Could not check the memories"
POLICIES_NOT_READ = "Could not read the policies"
LABELS = {
    "read": "reads",
    "write": "writes",
    "writes_to": "into",
    "most": "at most",
    "expiry": "expires",
    "sensitive": "no keys like",
    "categories": "categories",
}
UNLIMITED = {
    "read": "every scope",
    "write": "every scope",
    "writes_to": "memtui's own store",
    "most": "no limit",
    "expiry": "as the agent says",
    "sensitive": "any key is allowed",
    "categories": "all",
}

# Keys.
READ_ONLY = "The workspace is read-only: policies can't be changed."

# The form.
NEW = "New policy"
NOT_SAVED = "Could not save the policy"
VALUES_NOT_READ = "Could not load what is in use"
PREVIEW = "What would hold"
NOTHING_LIMITED = "A policy has to limit something: fill in one of the lines."
FIELDS: Mapping[str, tuple[str, str]] = {
    "agent": ("Agent", f"its name, as its memories have it; {EVERY} for every agent"),
    "read": ("Reads", "scopes: private, fleet, session; none; empty for all"),
    "write": ("Writes", "scopes: private, fleet, session; none; empty for all"),
    "most": ("At most", "memories in a scope: private=100, fleet=20:weakest"),
    "expiry": ("Expires", "after 30d at the latest; empty: as the agent says"),
    "sensitive": ("No keys like", "patterns: password:*, *token*"),
    "categories": ("Categories", "the only ones that it may write; empty for all"),
    "writes_to": ("Into", "the store that its memories go into; empty: memtui's own"),
}
"""By part of a policy: the label of its field and the hint in it."""
SCOPE_HELP = {
    "private": "private   its own, for itself",
    "fleet": "fleet     for all agents",
    "session": "session   for the session",
    "all": "all       every scope",
    "none": "none      nothing at all",
}
MOST_HELP = {
    "100": "100           beyond it, writes are refused",
    "100:weakest": "100:weakest   beyond it, the weakest leaves",
}
EXPIRIES = ("7d", "30d", "90d", "365d", "never")
PATTERNS = ("password:*", "*password*", "*token*", "*secret*")


# The list.


def agent(policy: Policy) -> str:
    return f"{EVERY} {EVERY_AGENT}" if policy.agent == EVERY else policy.agent


def source(store: str, project: str) -> str:
    return f"store {store}" if store else f"project {project}" if project else HERE


def refused_today(count: int) -> str:
    return f"{grouped(count)} refused"


def says(policy: Policy) -> str:
    """What a policy states, in short: reads fleet · writes private · at most 100 private · 30 days."""
    parts = [
        _scopes("reads", policy.read),
        _scopes("writes", policy.write),
        f"into {policy.writes_to}" if policy.writes_to else "",
        f"at most {', '.join(f'{grouped(each.most)} {each.scope}' for each in policy.limits)}"
        if policy.limits
        else "",
        counted(int(policy.expiry), "day") if policy.expiry is not None else "",
        f"no keys like {_few(policy.sensitive)}" if policy.sensitive else "",
        f"only {_few(policy.categories or ())}" if policy.categories is not None else "",
        f"can't be read: {', '.join(policy.unread)}" if policy.unread else "",
    ]
    return " · ".join(filter(None, parts)) or LIMITS_NOTHING


def _scopes(verb: str, scopes: Sequence[str] | None) -> str:
    return "" if scopes is None else f"{verb} {', '.join(scopes) or 'nothing'}"


def _few(texts: Sequence[str], most: int = 3) -> str:
    rest = [f"{grouped(len(texts) - most)} more"] if len(texts) > most else []
    return ", ".join((*texts[:most], *rest))


def no_policy_line(key: str) -> str:
    """The line of the section while there is no policy."""
    return f"No policy yet: {key} says what an agent may read and write."


def no_rule_line(key: str, recipe: str) -> str:
    return f"No rule yet: {key} writes one, {recipe} starts from a recipe."


def new_key(key: str) -> str:
    return f"{key}  say what an agent may read and write"


def count(policies: int) -> str:
    return counted(policies, "policy") if policies else ""


# The text of a policy.


def from_file(path: str) -> str:
    return f"From {path}, for every store; it is edited there, and trusted again."


def stated_by(store: str) -> str:
    return f"Stated by the store {store}, and holds there; it is edited where the store is written."


def set_here(edit: str, remove: str) -> str:
    return f"Set in this workspace, for every store · {edit} edits it, {remove} removes it"


def unreadable(parts: Sequence[str]) -> str:
    return f"Can't be read, and doesn't hold: {', '.join(parts)}"


def holds(agent: str, where: str) -> str:
    whom = EVERY_AGENT if agent == EVERY else agent
    return f"What holds for {whom} {where}"


EVERYWHERE, ELSEWHERE = "in every store", "in the other stores"


def in_store(store: str) -> str:
    return f"in {store}"


def limit(limit: Limit) -> str:
    beyond = "then the weakest leaves" if limit.beyond == WEAKEST else "then writes are refused"
    return f"{grouped(limit.most)} {limit.scope}, {beyond}"


def after_days(days: float) -> str:
    return f"after {counted(int(days), 'day')} at the latest"


def from_policies(names: Sequence[str], others: Sequence[str]) -> str:
    """From which policies a part is, and which others say something laxer on it."""
    stricter = f", stricter than {', '.join(others)}" if others else ""
    return f"({', '.join(names)}{stricter})"


_REFUSED = {
    "scope": "a scope that it may not write",
    "category": "a category that it may not write",
    "sensitive-key": "a sensitive key",
    "limit": "a memory over the limit",
    "read": "a question, since it may read nothing",
    "owner": "a memory of another owner",
    "secret": "a secret",
    "dismissed": "a key whose memory is dismissed",
}


def refused(code: str, count: int, today: int, last: str, about: Sequence[str]) -> str:
    """What was refused, how often, when last; `about` names agent, policy and store where they say more."""
    times = counted(count, "time") + (f", {grouped(today)} today" if today else "")
    return " · ".join((f"{_REFUSED.get(code, code)}: {times}", f"last {last}", *about))


def refused_to(agent: str) -> str:
    return f"to {agent}"


def refused_by(policy: str) -> str:
    return f"by “{policy}”"


# Keys.


def no_policy_of(agent: str, key: str) -> str:
    return f"{agent} has no policy here yet: {key} writes one, which can name the store it writes to."


def no_policy(key: str) -> str:
    return f"There is no policy yet: {key} writes one."


def kept_by_store(name: str, store: str) -> str:
    return f"“{name}” stands in the store {store}: change it there."


def always_on(remove: str) -> str:
    return f"A policy is always on; {remove} removes it."


NO_ORDER = "Policies have no order: the stricter one holds."


# The form.


def edit_title(agent: str) -> str:
    return f"Policy for {EVERY_AGENT if agent == EVERY else agent}"
