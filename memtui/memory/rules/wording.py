"""Every sentence about rules and their actions."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.errors import Refused
from memtui.text import counted

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
HALF_LIFE = "set its half-life, where the store fades by memtui's lifecycle"
SETTLE = "settle its contradictions: newer, confidence or store:NAME wins"
REDACT = "permanently redact its secrets"
REFUSE = "refuse what an agent writes that matches"


# Why a rule leaves what it set.
CHANGED_SINCE, CONFIRMED_SINCE = "changed since", "confirmed since"


def left(rule: str, count: int, why: str) -> str:
    """“The rule “Pin security” leaves 2 memories as they are, changed since”."""
    memories = f"{counted(count, 'memory')} as {'it is' if count == 1 else 'they are'}"
    return f"The rule “{rule}” leaves {memories}, {why}"


def left_why(actions: list[str], why: str) -> str:
    return f"{', '.join(sorted(actions))} {why}"


def unknown_action(name: str, known: Iterable[str]) -> Refused:
    return Refused("action", f"There is no action “{name}”. Actions: {', '.join(known)}.", NOTHING_SAVED)


def unknown_store(name: str, known: Iterable[str]) -> Refused:
    return Refused(
        "action", f"No store named “{name}” is attached. Stores: {', '.join(known)}.", NOTHING_SAVED
    )


def takes_no_value(name: str) -> Refused:
    return Refused("action", f"{name} takes no value.", NOTHING_SAVED)


def bad_value(name: str, value: str, example: str) -> Refused:
    return Refused("action", f"{name} can't be “{value}”; for example {name}={example}.", NOTHING_SAVED)


def no_rule(name: str, known: list[str]) -> Refused:
    hint = f"Rules: {', '.join(known)}." if known else "There are no rules yet: memtui rules add."
    return Refused("no-rule", f"There is no rule “{name}”.", hint)


def bad_name(most: int) -> Refused:
    return Refused("name", f"A rule's name has 1 to {most} visible characters, and no secret.", NOTHING_SAVED)


def bad_note(most: int) -> Refused:
    return Refused("note", f"A rule's note has at most {most} characters.", NOTHING_SAVED)


def name_taken(name: str) -> Refused:
    return Refused("name", f"There is already a rule “{name}”.", NOTHING_SAVED)


def no_query() -> Refused:
    return Refused("query", "A rule needs a query: without one it would match every memory.", NOTHING_SAVED)


def no_action() -> Refused:
    return Refused("action", "A rule needs an action, such as pin or tag=security.", NOTHING_SAVED)


def action_twice() -> Refused:
    return Refused("action", "A rule can have each kind of action only once.", NOTHING_SAVED)


def too_many(most: int) -> Refused:
    return Refused("too-many", f"A workspace has at most {most} rules.", NOTHING_SAVED)


def nothing_changed() -> Refused:
    return Refused("no-change", "The rule is like that already.", "Nothing was changed.")


def is_already(name: str, *, on: bool) -> Refused:
    return Refused(
        "no-change", f"The rule “{name}” is {'on' if on else 'off'} already.", "Nothing was changed."
    )


def no_further(name: str, *, up: bool) -> Refused:
    place = "first" if up else "last"
    return Refused("no-change", f"The rule “{name}” is the {place} already.", "Nothing was changed.")


def nothing_imported() -> Refused:
    reason = "The rules and policies are those of the file already."
    return Refused("no-change", reason, "Nothing was changed.")


# -- what was done


def imported(new: tuple[int, int], changed: tuple[int, int]) -> str:
    """Return what was imported: how many rules and policies were new, how many changed."""
    parts = [
        counted(count, f"{what} {noun}")
        for noun, counts in zip(("rule", "policy"), zip(new, changed, strict=True), strict=True)
        for what, count in zip(("new", "changed"), counts, strict=True)
        if count
    ]
    return f"Imported rules: {', '.join(parts) or 'their order'}"


def added(name: str) -> str:
    return f"Added the rule “{name}”, off"


def edited(name: str) -> str:
    return f"Edited the rule “{name}”"


def removed(name: str) -> str:
    return f"Removed the rule “{name}”"


def turned(name: str, *, on: bool) -> str:
    return f"Switched the rule “{name}” {'on' if on else 'off'}"


def moved(name: str, place: int) -> str:
    return f"Moved the rule “{name}” to place {place}"
