"""What can stand in the actions of a rule, for completion: "pin, tag=security" (S-60)."""

from __future__ import annotations

from typing import ClassVar

from memtui.errors import Refused
from memtui.memory.memory import SCOPES
from memtui.memory.query.completion import CompletionContext
from memtui.memory.rules.rule import (
    ACTIONS,
    CATEGORY,
    CONFIDENCE,
    EXPIRE,
    HALF_LIFE,
    IMPORTANCE,
    NEWER,
    OF_STORE,
    SCOPE,
    SETTLE,
    TAG,
    Action,
    parse_action,
)
from memtui.tui.completing.completion import QueryLanguage
from memtui.tui.completing.suggestions import Suggestion

_DAYS = ("7d", "30d", "90d", "365d")
_VALUES = {
    SCOPE: SCOPES,
    IMPORTANCE: ("0.9", "0.7", "0.3"),
    EXPIRE: _DAYS,
    HALF_LIFE: _DAYS,
    SETTLE: (NEWER, CONFIDENCE, OF_STORE),
}
IN_USE = (TAG, CATEGORY)  # actions whose values are those that memories have
NAME = 11  # cells of an action's name


class ActionLanguage(QueryLanguage):
    """Actions and their values, parted by commas."""

    AFTER: ClassVar[str] = ""

    def at(self, text: str, cursor: int) -> CompletionContext | None:
        start = text.rfind(",", 0, cursor) + 1
        end = text.find(",", cursor)
        end = len(text) if end < 0 else end
        start += len(text[start:end]) - len(text[start:end].lstrip())
        name, sign, _ = text[start:end].partition("=")
        at_value = start + len(name) + 1
        if cursor < start:
            return None
        if sign and cursor >= at_value:
            spec = ACTIONS.get(name.strip())
            if spec is None or not spec.example:
                return None
            return CompletionContext(at_value, end, "value", spec.name, text[at_value:cursor].lstrip())
        return CompletionContext(start, end, "name", "", text[start:cursor])

    def fixed(self, part: CompletionContext) -> list[Suggestion] | None:
        if part.kind == "name":
            return [
                (f"{spec.name}=" if spec.example else spec.name, f"{spec.name:<{NAME}}{spec.help}", None)
                for spec in ACTIONS.values()
                if spec.name.startswith(part.prefix.lower())
            ]
        if part.name in IN_USE or (part.name == SETTLE and part.prefix.startswith(OF_STORE)):
            return None
        return [(each, each, None) for each in _VALUES[part.name] if each.startswith(part.prefix)]

    def quoted(self, value: str) -> str:
        return value


def read(text: str, cursor: int | None) -> tuple[list[Action], tuple[int, int, Refused] | None]:
    """Return the actions of a text, and of the first one that is none from where to where it stands, and why.

    What is being typed at `cursor` is left out, as long as it may become an action."""
    actions: list[Action] = []
    fault: tuple[int, int, Refused] | None = None
    start = 0
    for part in text.split(","):
        end = start + len(part)
        is_typed = cursor is not None and start <= cursor <= end
        if part.strip():
            try:
                actions.append(parse_action(part))
            except Refused as refused:
                if not (is_typed and _may_become(part)) and fault is None:
                    fault = start + len(part) - len(part.lstrip()), end, refused
        start = end + 1
    return actions, fault


def _may_become(part: str) -> bool:
    name, sign, value = part.strip().partition("=")
    if sign:
        return name in ACTIONS and bool(ACTIONS[name].example) and not value
    return any(known.startswith(name) for known in ACTIONS)
