"""Every sentence of the dialogs and keys for verbs on several memories."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.text import after_colon, listed
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
PREVIEW_FAILED = "Could not tell what would change"
VALUES_NOT_READ = "Could not load tags and categories"

READING = "Loading …"
CANCEL = "esc cancel"
NOTHING_SELECTED = "nothing would change."

_VERBS = {"reason": "save", "edit": "save", "wake": "unsnooze"}
DOING = {
    "pin": "Pinning",
    "unpin": "Unpinning",
    "confirm": "Confirming",
    "dismiss": "Dismissing",
    "forget": "Forgetting",
    "restore": "Restoring",
    "snooze": "Snoozing",
    "wake": "Unsnoozing",
    "edit": "Editing",
    "reason": "Editing",
    "copy": "Copying",
    "move": "Moving",
    "purge": "Purging",
    "redact": "Redacting",
    "resolve": "Resolving",
    "repair": "Repairing",
}

# Forgetting.

# Snoozing.
TOMORROW = "tomorrow"
IN_A_WEEK = "in a week"
IN_A_MONTH = "in a month"
END_SNOOZE = "end the snooze"
DATE_PLACEHOLDER = "or a date, or days from now: 2027-01-31, 10d"
HIDDEN_FROM = "Hidden from the Inbox and Review, still found by search."
SHOWN_AGAIN = "Shown in the Inbox and Review again."

# Tags and category.
TAGS_PLACEHOLDER = "+add -remove"
CATEGORY_PLACEHOLDER = "unchanged"
NOTHING_TYPED = "Type tags to add or remove, or another category."

# The reason of a pin.
REASON_TITLE = "Pin reason"
REASON_PLACEHOLDER = "One line, or leave it empty"


def verb(action: str) -> str:
    return _VERBS.get(action, action)


def title(action: str, count: int) -> str:
    return f"{verb(action).capitalize()} {counted(count, 'memory')}"


def keys(action: str) -> str:
    return f"⏎ {verb(action)} · {CANCEL}"


def count_of(count: int, total: int) -> str:
    return grouped(count) if count == total else f"{grouped(count)} of {grouped(total)}"


def other_stores(count: int) -> str:
    return f"… and {counted(count, 'other store')}"


def skipped(count: int, reason: str) -> str:
    return f"{grouped(count)} skipped: {after_colon(reason)}"


def none_possible(action: str, reason: str) -> str:
    return f"Nothing to {verb(action)}: {after_colon(reason)}"


def quoted(label: str) -> str:
    return f"“{label}”"


def restored_by(key: str, count: int) -> str:
    it, is_ = ("it", "it is") if count == 1 else ("them", "they are")
    return f"memtui keeps {it} until {is_} purged. To restore {it}, search is:removed and press {key}."


# Snoozing.


def snooze_title(count: int) -> str:
    return f"Snooze {counted(count, 'memory')} until"


def snooze_choice(name: str, day: str) -> str:
    return f"{name}  {day}" if day else name


def until(day: str) -> str:
    return f"Until {day}. {HIDDEN_FROM}"


def not_a_moment(text: str) -> str:
    return f"Not a date: {text}. Examples: 2027-01-31, 10d, 3w, tomorrow."


def past(day: str) -> str:
    return f"{day} is in the past; choose a later date."


# Tags and category.


def tags_title(count: int) -> str:
    return f"Tags and category of {counted(count, 'memory')}"


def tags_keys(complete: str) -> str:
    return f"⏎ save · {complete} complete, next field · {CANCEL}"


def in_use(names: Sequence[str]) -> str:
    return f"In use: {listed(names)}"


def allowed(names: Sequence[str]) -> str:
    return f"Allowed: {listed(names)}"


# The reason of a pin.


def reason_hint(undo_key: str, reason_key: str) -> str:
    return f"{undo_key} undo · {reason_key} reason"


def reason_effect(pinned: bool) -> str:
    return "Replaces the current reason." if pinned else "Pins it, with or without a reason."
