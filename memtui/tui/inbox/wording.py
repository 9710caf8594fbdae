"""Every sentence of the Inbox."""

from __future__ import annotations

import math
from collections.abc import Iterable

from memtui.memory.inbox.alike import ABOUT, COPIES, STORE, TOPIC, Alike
from memtui.memory.inbox.alike import KIND as ALL
from memtui.text import capitalized
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.text.text_layout import one_line

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
BREACH = "Policy"
CANDIDATES = "Candidates"
WHICH_KINDS = "Filter kinds"
NOTHING = "Nothing needs you."
NOTHING_SHOWN = "Nothing in the kinds shown."
CHOOSE_WHEN = "Both memories stay unchanged. You choose when to be asked again."
PAIR_GONE = "No longer a pair: one of the two memories was changed or removed."
WHAT_IT_MEANS = "What it means"
WHAT_TO_DO = "What to do"

# Kinds: one of them, and all of them.
KIND = {
    "secret": "secret",
    "escalated": "escalated",
    "breach": "breach",
    "rule": "rule",
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
    "breach": "breaches",
    "rule": "by rules",
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
NO_FINDING = "Only what is wrong with a store can be repaired."
ALL_HIDDEN = "what is left is hidden by kind"
NOT_A_PAIR = "No pair is selected."
NOTHING_ALIKE = "There is nothing else like it to mark."
NOT_OPEN = "Only a list of candidates can be folded."


def settle_pair(keys: str, review: str) -> str:
    return f"This is a pair: {keys} resolve it, {review} opens it in Review."


def not_repairable(key: str) -> str:
    return f"memtui can't repair this automatically: {key} opens it in Stores."


def about_store(key: str) -> str:
    return f"This is about a store: {key} opens it in Stores."


def about_agent(key: str) -> str:
    return f"This is about an agent: {key} opens the Journal, which has each refusal."


def breach_help(open_key: str, snooze_key: str) -> str:
    return f"{open_key} opens the Journal, {snooze_key} hides it for a while. Tomorrow it is gone."


def list_first(key: str) -> str:
    return f"These are several candidates: {key} lists them one by one."


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def done(count: int) -> str:
    return f"{grouped(count)} done" if count else ""


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
    return f"You changed {counted(count, 'memory')} today."


def due(when: str) -> str:
    return f"Next: {when}, when something snoozed returns."


def hidden_by_kind(key: str, count: int) -> str:
    return f"{counted(count, 'item')} hidden by kind: {key} shows {'it' if count == 1 else 'them'}"


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


def store_help(repair_key: str, open_key: str, snooze_key: str) -> str:
    """`repair_key` is "" for what memtui cannot repair."""
    repair = f"{repair_key} repairs it, " if repair_key else ""
    return f"{repair}{open_key} opens Stores, {snooze_key} hides it for a while."


def settle_keys(keys: str) -> str:
    return f"{keys} resolve"


def marked_alike(count: int, keys: Iterable[tuple[str, str]]) -> str:
    """`keys` are those that act on what was marked, each with its command."""
    acts = ", ".join(f"{key} {ACTS[command]}" for key, command in keys)
    return f"Marked {counted(count, 'memory')}: {acts} them."


def marked_copies(count: int, dismiss: str) -> str:
    noun = "copy" if count == 1 else "copies"
    return f"Marked {grouped(count)} exact {noun}, all but one of each: {dismiss} dismisses them."


ACTS = {
    "memory.redact": "redacts",
    "memory.confirm": "confirms",
    "memory.dismiss": "dismisses",
    "memory.pin": "pins",
    "memory.snooze": "snoozes",
}

UNMARKED = "Cleared all marks."
MARK_WHICH = "Mark"
MARK_KEYS = "⏎ mark · esc cancel"


def group(group: Alike, name: str) -> str:
    """One of the groups that an item is in; `name` is that of the group as it is shown."""
    name = one_line(name, 60)
    kinds = {
        "duplicate": "duplicates",
        "contradiction": "contradictions",
        "escalated": "escalated contradictions",
        "candidates": "candidates",
        "rule": "memories sent by a rule",
        "pending": "pending memories",
        "secret": "memories with a secret",
        "leaving": "memories about to leave",
    }[group.items[0].kind]
    return {
        ABOUT: f"{kinds} of “{name}”",
        TOPIC: f"{kinds} about “{name}”",
        STORE: f"{kinds} in {name}",
        ALL: f"all {kinds}",
        COPIES: "exact copies of one store, all but one of each",
    }[group.code]


def marked_pairs(count: int, both: str, not_so: str, snooze: str) -> str:
    keys = f"{both} both true, {not_so} false positive, {snooze} snooze"
    return f"Marked {counted(count, 'pair')}: {keys}."


def pairs_are_marked(both: str, not_so: str, snooze: str, unmark: str) -> str:
    return f"Pairs are marked: {both} {not_so} {snooze} resolve all of them, {unmark} clears the marks."


DO_KEYS = "⏎ do it · esc cancel"
EXAMINING = "Examining the store …"
NOT_EXAMINED = "Could not examine the store"
NOTHING_TO_REPAIR = "Nothing is left to repair."


def settle_title(verdict: str, count: int) -> str:
    return f"{capitalized(verdict)}: {counted(count, 'pair')}"


def pairs_in(store: str, count: int) -> str:
    return f"{counted(count, 'pair')} in {store}"


def more_pairs(count: int) -> str:
    return f"  … and {grouped(count)} more"


def settle_effect(verdict: str) -> str:
    """What such a verdict means for all of them."""
    stay = "All texts stay as they are, and you won't be asked again unless one changes."
    return f"{stay} An attribute may have several values from now on." if verdict == "both-true" else stay


def repair_title(store: str) -> str:
    return f"Repair {store}"


def would_repair(count: int) -> str:
    return f"{counted(count, 'finding')} will be repaired:"


def more_like_it(count: int) -> str:
    return f"… and {grouped(count)} more like it"


def snooze_pairs_title(count: int) -> str:
    return f"Snooze {'this pair' if count == 1 else counted(count, 'pair')} until"


def pairs_return(day: str) -> str:
    return f"Until {day}. Both texts of a pair stay as they are."


def put_off_title(store: str) -> str:
    return f"Snooze this finding in {store} until"


def put_off_until(day: str) -> str:
    return f"Until {day}. Hidden from the Inbox, still listed in Stores."
