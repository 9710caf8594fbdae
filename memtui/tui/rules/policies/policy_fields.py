"""The fields of a policy's form: what each holds, how it is read, what is suggested in it (S-61)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from memtui.errors import Refused
from memtui.memory.memory import SCOPES
from memtui.memory.policies.editing import Parts, find, name_of, with_parts
from memtui.memory.policies.policy import ALL, NEVER, NONE, WEAKEST, Policy, fields_of
from memtui.memory.policies.wording import has_policy
from memtui.memory.query.completion import CompletionContext
from memtui.tui.completing.completion import QueryLanguage
from memtui.tui.completing.suggestions import Suggestion
from memtui.tui.rules.policies import wording

AGENT, EXPIRY, MOST, STORE = "agent", "expiry", "most", "writes_to"
IN_USE = {
    AGENT: "owner",
    "categories": "category",
    STORE: "store",
}  # fields whose values are those that memories have
_EMPTY = {"read": [ALL], "write": [ALL], "categories": [ALL], MOST: [], "sensitive": []}
_SCOPES: Sequence[Suggestion] = [(each, wording.SCOPE_HELP[each], None) for each in (*SCOPES, ALL, NONE)]
_CHOICES: Mapping[str, Sequence[Suggestion]] = {
    "read": _SCOPES,
    "write": _SCOPES,
    MOST: [(f"{each}=", wording.SCOPE_HELP[each], None) for each in SCOPES],
    EXPIRY: [(each, each, None) for each in wording.EXPIRIES],
    "sensitive": [(each, each, None) for each in wording.PATTERNS],
}
_LIMITS: Sequence[Suggestion] = [(each, help, None) for each, help in wording.MOST_HELP.items()]


class FieldLanguage(QueryLanguage):
    """What can stand in a field: values, parted by commas unless the field takes one alone."""

    AFTER: ClassVar[str] = ""

    def __init__(self, field: str) -> None:
        self._field = field
        self._others: set[str] = set()  # what stands beside the value that is typed

    def at(self, text: str, cursor: int) -> CompletionContext | None:
        start, end = 0, len(text)
        if self._field not in (AGENT, EXPIRY, STORE):
            start = text.rfind(",", 0, cursor) + 1
            end = text.find(",", cursor)
            end = len(text) if end < 0 else end
        self._others = set(listed(f"{text[:start]},{text[end:]}"))
        start += len(text[start:end]) - len(text[start:end].lstrip())
        sign = text.find("=", start, end) if self._field == MOST else -1
        if cursor < start:
            return None
        if 0 <= sign < cursor:
            return CompletionContext(sign + 1, end, "name", "limit", text[sign + 1 : cursor])
        return CompletionContext(start, end, "name", IN_USE.get(self._field, ""), text[start:cursor])

    def fixed(self, part: CompletionContext) -> list[Suggestion] | None:
        if self._field in IN_USE:
            return None
        if part.name == "limit":
            return _limits(part.prefix)
        choices = _CHOICES[self._field]
        prefix = part.prefix.casefold()
        return [each for each in choices if each[0].startswith(prefix) and each[0] not in self._others]

    def quoted(self, value: str) -> str:
        return value


def _limits(typed: str) -> list[Suggestion]:
    """Return how a limit can go on: a number that somebody typed is no beginning of another one."""
    number, colon, rest = typed.partition(":")
    if not number:
        return list(_LIMITS)
    weakest = f"{number}:{WEAKEST}"
    return [(weakest, weakest, None)] if colon and WEAKEST.startswith(rest) and number.isdecimal() else []


def listed(text: str) -> list[str]:
    """Return the values in a field."""
    return [each.strip() for each in text.split(",") if each.strip()]


def texts_of(policy: Policy) -> dict[str, str]:
    """Return a policy as it stands in the fields, where nothing stands for no limit."""
    texts = {}
    for name, value in fields_of(policy).items():
        if name == EXPIRY:
            texts[name] = "" if value == NEVER else str(value)
        elif isinstance(value, str):
            texts[name] = value
        else:
            none = NONE if name in ("read", "write") and value is not None else ""
            texts[name] = ", ".join(value or ()) or none
    return texts


def parts_of(texts: Mapping[str, str]) -> Parts:
    """Return the parts of a policy in these fields, as they are typed."""

    def values(name: str) -> list[str] | None:
        return (listed(texts[name]) or _EMPTY[name]) if name in texts else None

    return Parts(
        read=values("read"),
        write=values("write"),
        most=values(MOST),
        expiry=(texts[EXPIRY].strip() or NEVER) if EXPIRY in texts else None,
        sensitive=values("sensitive"),
        categories=values("categories"),
        writes_to=texts[STORE].strip() if STORE in texts else None,
    )


@dataclass(frozen=True, slots=True)
class Typed:
    """A policy as far as it is one, and by field why what is typed there cannot be."""

    policy: Policy
    faults: Mapping[str, str]


def read(before: Policy, texts: Mapping[str, str], others: Sequence[Policy]) -> Typed:
    """Return the policy that is typed in these fields; what cannot be is as it was `before`. `others` are
    those whose agents have one already."""
    policy, faults = before, {}
    for name, text in texts.items():
        try:
            if name == AGENT:
                policy = replace(policy, agent=name_of(text))
                if find(others, policy.agent):
                    raise has_policy(policy.agent)
            else:
                policy = with_parts(policy, parts_of({name: text}))
        except Refused as refused:
            faults[name] = refused.message
    return Typed(policy, faults)
