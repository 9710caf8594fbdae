"""A rule: a query, and what is done with the memories that match it (S-60)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memtui.memory.lifecycles.native import LONGEST_HALF
from memtui.memory.memory import SCOPES
from memtui.memory.rules import wording
from memtui.text import is_clean
from memtui.values import Fields, FieldValue

PIN, TAG, SCOPE, CATEGORY = "pin", "tag", "scope", "category"
IMPORTANCE, EXPIRE, INBOX, DISMISS = "importance", "expire", "inbox", "dismiss"
HALF_LIFE, SETTLE = "half-life", "settle"
NEWER, CONFIDENCE, OF_STORE = "newer", "confidence", "store:"  # by what settle chooses
REDACT, REFUSE = "redact", "refuse"
MAX_NAME, MAX_NOTE = 60, 500  # characters
MAX_STORE = 200  # characters of a store's name
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a rule does; `value` is what is set, None for an action that needs none."""

    kind: str
    value: str | float | None = None

    @property
    def text(self) -> str:
        """The action as it is typed: "tag=security"."""
        if self.value is None:
            return self.kind
        value = days_text(self) if self.kind in (EXPIRE, HALF_LIFE) else f"{self.value}"
        return f"{self.kind}={value}"


def days_text(action: Action) -> str:
    """Return the value of an action that is a number of days, as it is typed: "30d"."""
    return f"{action.value:g}d"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it is kept; `when` is a query, `source` the path of the project's file that it comes from, ""
    for a person's own. Own rules come in the order of `position`, after them those of each file."""

    id: int
    name: str
    when: str
    actions: tuple[Action, ...]
    note: str = ""
    position: int = 0
    on: bool = False
    source: str = ""

    @property
    def order(self) -> tuple[str, int, int]:
        """What rules are sorted by: of several that do the same kind of thing, the first wins."""
        return self.source, self.position, self.id

    def does(self, kind: str) -> bool:
        """Return whether one of its actions is of this kind."""
        return any(each.kind == kind for each in self.actions)

    @property
    def only_refuses(self) -> bool:
        """Whether it leaves all memories that are there alone."""
        return bool(self.actions) and all(each.kind == REFUSE for each in self.actions)

    def begins_to_redact(self, before: Rule | None) -> bool:
        """Return whether it redacts from now on what it did not `before`, None if it was not there: that
        cannot be undone, so a person is asked once."""
        was_on = before is not None and before.on and before.does(REDACT) and before.when == self.when
        return self.on and self.does(REDACT) and not was_on


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action: its name, what it does, an example of its value ("" if it has none), how its value is read
    (None for what it cannot be), and the fields that it sets in a memory that was created at a time.

    What an act does stays when the rule goes; all else goes with it. REFUSE concerns what agents write alone,
    and does nothing with memories that are there.
    """

    name: str
    help: str
    example: str = ""
    read: Callable[[str], str | float | None] = str
    fields: Callable[[str | float | None, Sequence[str], float, str], Fields] | None = None


def _word(text: str) -> str | None:
    cleaned = " ".join(text.split())
    # A comma separates actions where a rule is journaled.
    return cleaned if 0 < len(cleaned) <= MAX_NAME and "," not in cleaned and is_clean(cleaned) else None


def _scope(text: str) -> str | None:
    return text if text in SCOPES else None


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


def _days(text: str) -> float | None:
    return _whole_days(text, 36_500)


def _half_life(text: str) -> float | None:
    return _whole_days(text, LONGEST_HALF)


def _whole_days(text: str, most: int) -> float | None:
    number = text.removesuffix("d")
    # Python refuses to read very long numbers.
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    return float(number) if is_number and 0 < int(number) <= most else None


def _winner(text: str) -> str | None:
    if text in (NEWER, CONFIDENCE):
        return text
    store = text.removeprefix(OF_STORE).strip()
    is_name = text.startswith(OF_STORE) and 0 < len(store) <= MAX_STORE and "," not in store
    return OF_STORE + store if is_name and is_clean(store) else None


ACTIONS = {
    spec.name: spec
    for spec in (
        ActionSpec(
            PIN, wording.PIN,
            fields=lambda value, tags, since, why: {"pinned": True, "pinned_why": why},
        ),
        ActionSpec(
            TAG, wording.TAG, "security", _word,
            lambda value, tags, since, why: {"tags": tuple(dict.fromkeys((*tags, str(value))))},
        ),
        ActionSpec(SCOPE, wording.SCOPE, "private", _scope, lambda value, *_: {"scope": value}),
        ActionSpec(CATEGORY, wording.CATEGORY, "decision", _word, lambda value, *_: {"category": value}),
        ActionSpec(IMPORTANCE, wording.IMPORTANCE, "0.9", _share, lambda value, *_: {"importance": value}),
        ActionSpec(
            EXPIRE, wording.EXPIRE, "30d", _days,
            lambda value, tags, since, why: {"expires_at": since + float(value or 0) * DAY},
        ),
        ActionSpec(HALF_LIFE, wording.HALF_LIFE, "90d", _half_life),
        ActionSpec(INBOX, wording.INBOX),
        ActionSpec(DISMISS, wording.DISMISS),
        ActionSpec(SETTLE, wording.SETTLE, NEWER, _winner),
        ActionSpec(REDACT, wording.REDACT),
        ActionSpec(REFUSE, wording.REFUSE),
    )
}  # fmt: skip
SETTINGS = tuple(name for name, spec in ACTIONS.items() if spec.fields is not None)
ACTS = (DISMISS, SETTLE, REDACT)


def parse_action(text: str) -> Action:
    """Return the action that a text such as "tag=security" names; raise Refused for one that there is not."""
    kind, sign, value = text.strip().partition("=")
    spec = ACTIONS.get(kind.strip())
    if spec is None:
        raise wording.unknown_action(kind.strip(), ACTIONS)
    if not spec.example:
        if sign:
            raise wording.takes_no_value(spec.name)
        return Action(spec.name)
    read = spec.read(value.strip())
    if read is None:
        raise wording.bad_value(spec.name, value.strip(), spec.example)
    return Action(spec.name, read)


def fields_of(action: Action, tags: Sequence[str], since: float, why: str) -> dict[str, FieldValue]:
    """Return the fields that a setting sets in a memory with these tags, created at `since` (Unix seconds);
    `why` is the reason of a pin."""
    spec = ACTIONS[action.kind]
    return dict(spec.fields(action.value, tags, since, why)) if spec.fields is not None else {}
