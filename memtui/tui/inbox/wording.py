"""Every sentence of the Inbox."""

from __future__ import annotations

import math

from memtui.text import capitalized
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The Inbox"
ITEM_UNREADABLE = "Could not load this item"
NOT_MARKED = "Could not mark them"
READ_ONLY = "The workspace is read-only."
JUST_APPEARED = "Key ignored: this item just appeared."
NO_SECRET = "This item has no secret to redact."

# Panes and titles.
TITLE = "Needs you"
ITEM = "Item"
PAIR = "Pair"
STORE_FINDING = "Store"
CANDIDATES = "Candidates"
WHICH_KINDS = "Filter kinds"
NOTHING = "Nothing needs you."
NOTHING_SHOWN = "Nothing in the kinds shown."
PAIR_GONE = "No longer a pair: one of the two memories was changed or removed."
WHAT_IT_MEANS = "What it means"
WHAT_TO_DO = "What to do"

# Kinds: one of them, and all of them.
KIND = {
    "secret": "secret",
    "escalated": "escalated",
    "pending": "pending",
    "contradiction": "contradiction",
    "leaving": "leaving",
    "store": "store",
    "candidates": "candidate",
    "duplicate": "duplicate",
}
KINDS = {
    "secret": "secrets",
    "escalated": "escalated",
    "pending": "pending",
    "contradiction": "contradictions",
    "leaving": "leaving",
    "store": "stores",
    "candidates": "candidates",
    "duplicate": "duplicates",
}

LATE = "!"  # tells escalated contradictions from the others

# Why a key does not fit what is under the cursor.
EMPTY = "the Inbox is empty"
NOT_A_PAIR = "No pair is selected."
EXACT_COPIES = "Exact copies are marked from a duplicate of which both texts are the same."
NOTHING_ALIKE = "There is nothing else like it to mark."
NOT_OPEN = "Only a list of candidates can be folded."


def settle_pair(keys: str, review: str) -> str:
    return f"This is a pair: {keys} resolve it, {review} opens it in Review."


def about_store(key: str) -> str:
    return f"This is about a store: {key} opens it in Stores."


def list_first(key: str) -> str:
    return f"These are several candidates: {key} lists them one by one."


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def done_today(count: int) -> str:
    return f"{grouped(count)} done today" if count else ""


def marked(count: int) -> str:
    return f"{grouped(count)} marked" if count else ""


def time_left(seconds: float) -> str:
    if seconds < 60:
        return "under a minute"
    minutes = math.ceil(seconds / 60)
    return f"about {minutes} min" if minutes < 90 else f"about {grouped(round(minutes / 60))} h"


def kind_off(name: str) -> str:
    return f"{name} off"


def filter_key(key: str) -> str:
    return f"{key} filter"


def done_so_far(count: int) -> str:
    return f"{counted(count, 'memory')} dealt with today."


def due(when: str) -> str:
    return f"Next: {when}, when something snoozed returns."


def others_hidden(key: str, count: int) -> str:
    return f"{counted(count, 'other item')} hidden by kind: {key} shows them"


def go_to(key: str, what: str) -> str:
    return f"{key}  {what}"


BROWSE = "browse memories"
UNDO = "undo the last change"


def candidates_of(count: int, store: str) -> str:
    return f"{counted(count, 'candidate')} in {store}"


def candidates_help(open_key: str, close_key: str) -> str:
    return f"{open_key} lists them one by one, {close_key} folds them again."


def why_here(reason: str) -> str:
    """The line above a memory's text."""
    return f"{capitalized(reason)}."


def more_findings(count: int) -> str:
    return f"{counted(count, 'more finding')} of this kind."


def store_help(open_key: str, snooze_key: str) -> str:
    return (
        f"{open_key} opens Stores, where it can be looked at and repaired; {snooze_key} hides it for a while."
    )


def settle_keys(keys: str) -> str:
    return f"{keys} resolve"


def marked_alike(count: int, confirm: str, dismiss: str) -> str:
    return f"Marked {counted(count, 'memory')}: {confirm} confirms, {dismiss} dismisses them."


def marked_copies(count: int, dismiss: str) -> str:
    noun = "copy" if count == 1 else "copies"
    return f"Marked {grouped(count)} exact {noun}, all but one of each: {dismiss} dismisses them."


UNMARKED = "Cleared all marks."


def put_off_title(store: str) -> str:
    return f"Snooze this finding in {store} until"


def put_off(store: str, day: str) -> str:
    return f"Hidden until {day}: this finding in {store}."


def put_off_until(day: str) -> str:
    return f"Until {day}. Hidden from the Inbox, still listed in Stores."
