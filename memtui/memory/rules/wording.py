"""Every sentence about rules and their actions."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused

NOTHING_SAVED = "The rule was not saved."

# What an action does.
PIN = "pin it, with the rule as reason"
TAG = "give it a tag"
SCOPE = "set its scope"
CATEGORY = "set its category"
IMPORTANCE = "set its importance, 0 to 1"
EXPIRE = "let it expire so many days after it was created"
INBOX = "put it in the Inbox"
DISMISS = "dismiss it"


def unknown_action(name: str, known: Iterable[str]) -> Refused:
    return Refused("action", f"There is no action “{name}”. Actions: {', '.join(known)}.", NOTHING_SAVED)


def takes_no_value(name: str) -> Refused:
    return Refused("action", f"{name} takes no value.", NOTHING_SAVED)


def bad_value(name: str, value: str, example: str) -> Refused:
    return Refused("action", f"{name} can't be “{value}”; for example {name}={example}.", NOTHING_SAVED)
