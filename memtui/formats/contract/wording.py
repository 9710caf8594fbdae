"""Every sentence about changes that any format may allow or refuse."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import NotSaved, Refused

NOTHING_CHANGED = "Nothing was changed."

# What an action does, completing "Dismiss …".
SETS_STATUS = "sets its status to {status}"


def past_expiry(day: str) -> str:
    return f"It expired on {day} but is still in the store."


def counts_no_uses(format: str) -> Refused:
    return Refused("uses", f"{format} doesn't count uses.", NOTHING_CHANGED)


def unstorable_text(field: str) -> NotSaved:
    return NotSaved("text", f"the {field} contains an invalid character (NUL or lone surrogate).")


def unknown_category(category: str, format: str, allowed: Iterable[str]) -> Refused:
    return Refused(
        "category",
        f"Invalid category “{category}”: {format} has only {', '.join(allowed)}.",
        NOTHING_CHANGED,
    )


def required_field(field: str, format: str) -> NotSaved:
    name = field.replace("_", " ")
    return NotSaved("required", f"{format} requires {name}; it can't be cleared.")


# What an action does that memtui alone keeps: "Pin …".
IS_KEPT = "is {kept}"
