"""What policies say of a write: pure functions. Each policy has to allow it, so the stricter holds (S-61)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from memtui.memory.memory import SCOPES
from memtui.memory.policies.policy import DAY, EVERY, REFUSE, Limit, Policy, folded


def for_agent(policies: Sequence[Policy], agent: str) -> list[Policy]:
    """Return the policies of an agent, by any spelling of its name, and those for all agents."""
    return [each for each in policies if each.agent == EVERY or folded(each.agent) == folded(agent)]


def in_store(policies: Sequence[Policy], store: str) -> list[Policy]:
    """Return the policies that hold in a store: those of the workspace, and those that it states itself."""
    return [each for each in policies if each.store in ("", store)]


def against_scope(policies: Sequence[Policy], scope: str) -> Policy | None:
    """Return the first policy that does not let its agent write a scope."""
    return next((each for each in policies if each.write is not None and scope not in each.write), None)


def against_category(policies: Sequence[Policy], category: str) -> Policy | None:
    """Return the first policy that does not allow a category; one without a name is none of those allowed."""
    return next(
        (
            each
            for each in policies
            if each.categories is not None and folded(category) not in map(folded, each.categories)
        ),
        None,
    )


def against_names(policies: Sequence[Policy], names: Sequence[str]) -> tuple[Policy, str] | None:
    """Return the first policy with a pattern of sensitive keys that one of these names matches, and it."""
    known = [folded(each) for each in names if each]
    for policy in policies:
        for pattern in policy.sensitive:
            if any(fnmatchcase(name, folded(pattern)) for name in known):
                return policy, pattern
    return None


def limits_on(policies: Sequence[Policy], scope: str) -> list[tuple[Policy, Limit]]:
    """Return the limits on a scope, each with its policy, those first beyond which writes are refused."""
    found = [(policy, each) for policy in policies for each in policy.limits if each.scope == scope]
    return sorted(found, key=lambda each: (each[1].beyond != REFUSE, each[1].most))


def expires_at(policies: Sequence[Policy], asked: float | None, now: float) -> float | None:
    """Return when something that is written now expires (Unix seconds), None for never: when the agent asked
    for, but no later than a policy says."""
    ends = [now + each.expiry * DAY for each in policies if each.expiry is not None]
    return min([*ends, *([] if asked is None else [asked])], default=None)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what holds, and the names of the policies that it is from, () if none says anything."""

    value: tuple[str, ...] | float | None
    policies: tuple[str, ...] = ()

    @property
    def policy(self) -> str:
        """These names as one text."""
        return ", ".join(self.policies)


def holding(policies: Sequence[Policy]) -> dict[str, Part]:
    """Return what holds where these policies meet, part by part: of each scope, category and number the
    strictest, of stores to write to the agent's own."""
    return {
        "read": _common([(each.name, each.read) for each in policies]),
        "write": _common([(each.name, each.write) for each in policies]),
        "writes_to": _own_store(policies),
        "most": _least_limits(policies),
        "expiry": _least_expiry(policies),
        "sensitive": _all_patterns(policies),
        "categories": _common([(each.name, each.categories) for each in policies], key=folded),
    }


def stating(policies: Sequence[Policy], part: str) -> list[str]:
    """Return the names of the policies that say anything on a part of `holding`."""
    return [each.name for each in policies if holding([each])[part].policies]


def writes_to(policies: Sequence[Policy]) -> str:
    """Return the store that the agent of these policies writes to, "" where none says one."""
    value = _own_store(policies).value
    return value[0] if isinstance(value, tuple) and value else ""


def _common(stated: Sequence[tuple[str, tuple[str, ...] | None]], key: Callable[[str], str] = str) -> Part:
    """Return what all allow, of values with the same `key` as the first spells it."""
    limited = [(name, values) for name, values in stated if values is not None]
    if not limited:
        return Part(None)
    shortest = min(limited, key=lambda each: len(each[1]))
    allowed = [set(map(key, values)) for _, values in limited]
    common = tuple(each for each in shortest[1] if all(key(each) in keys for keys in allowed))
    whose = [shortest[0]] if common == shortest[1] else [name for name, _ in limited]
    return Part(common, tuple(whose))


def _own_store(policies: Sequence[Policy]) -> Part:
    naming = [each for each in policies if each.writes_to]
    for each in sorted(naming, key=lambda each: each.agent == EVERY):
        return Part((each.writes_to,), (each.name,))
    return Part(())


def _least_limits(policies: Sequence[Policy]) -> Part:
    # Of equal ones the one that `limits_on` has first.
    least = [min(found, key=lambda each: each[1].most) for s in SCOPES if (found := limits_on(policies, s))]
    return Part(tuple(each.text for _, each in least), tuple(dict.fromkeys(p.name for p, _ in least)))


def _least_expiry(policies: Sequence[Policy]) -> Part:
    ends = [(each.expiry, each.name) for each in policies if each.expiry is not None]
    if not ends:
        return Part(None)
    days, name = min(ends)
    return Part(days, (name,))


def _all_patterns(policies: Sequence[Policy]) -> Part:
    having = [each for each in policies if each.sensitive]
    found = dict.fromkeys(pattern for each in having for pattern in each.sensitive)
    return Part(tuple(found), tuple(each.name for each in having))
