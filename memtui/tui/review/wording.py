"""Every sentence of the Review screen."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.text import after_colon
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The queue"
PAIRS_UNREADABLE = "Could not load the pairs"
PAIR_UNREADABLE = "Could not load the pair"
NOT_RESOLVED = "Not resolved"
NOT_MERGED = "Not merged"
NOT_COPIED = "Could not copy"

# Why a verdict cannot be given.
NO_WORKSPACE = "no workspace is open"
NO_PAIR = "no pair selected"
NO_PAIR_SELECTED = "No pair selected."
READ_ONLY = "Can't resolve: the workspace is read-only."
STILL_WRITING = "The verdict on this pair is still being saved."
PAIR_IS_OVER = "Nothing to resolve: this is no longer a pair."
NOT_DRAWN = "Key ignored: this pair is not on screen yet."
JUST_DRAWN = "Key ignored: this pair just appeared."

# Panes.
WHY_THESE = "Why these two"
IF_KEPT = {"a": "If you keep A", "b": "If you keep B"}
MEMORY_GONE = "One of the two memories is no longer in the workspace."
CANNOT_BE_KEPT = "can't be kept now"
NO_REASON = "No reason recorded."
NO_PREFERENCE = "Neither is clearly better."
NO_LONGER = "No longer a pair: one of the two memories was changed or removed."
NOTHING_WRITTEN = "No store is changed."

# The queue and its filter.
OVER = "gone"
OPEN_LONG = "! open 7+ days"
ALL_PAIRS = "All pairs"
WHICH_PAIRS = "Filter pairs"
FAMILIES = {"contradiction": "Contradictions", "duplicate": "Duplicates"}

# The empty queue.
NOTHING_YET = "Nothing found so far."
READ_ONLY_SCAN = "The workspace is read-only, so memories are not compared."
CONFLICTS_APPEAR = "Contradictions and duplicates will appear here."
NEW_WHEN_CONFLICT = "New pairs appear here when memories conflict."
NO_MEMORIES = "No memories yet, so nothing to compare."

# The dialogs.
BOTH_TRUE = "Both are true"
NOTE_PLACEHOLDER = "Note (optional), for example: at work, until March"
MERGE_A_AND_B = "Merge A and B"
CLEAN_FIRST = "Can't edit yet: press ctrl+l to remove unsupported characters."
NOTHING_TO_CLEAN = "No unsupported characters here."
CLEANED = "Removed unsupported characters. Press ctrl+s to merge."
DROPS_TEXT = "Press esc again to discard your text; both memories stay unchanged."
NOT_WRITABLE = "Not merged: the text is too long or has unsupported characters."
UNSUPPORTED = "Not merged: the text has unsupported characters. Press ctrl+l to remove them."
EMPTY_TEXT = "Not merged: the text is empty. Press esc to cancel."

# Verdicts.
NOT_A_DUPLICATE = "not a duplicate"
NOT_A_CONTRADICTION = "not a contradiction"

# What favors one memory.
PINNED = "pinned"
NEWER = "newer"
USED_MORE = "used more"
MORE_CONFIDENT = "more confident"


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def settled_today(count: int) -> str:
    return f"{grouped(count)} resolved today" if count else ""


def later(count: int) -> str:
    return f"{grouped(count)} snoozed" if count else ""


def new_pairs(count: int, reload: str) -> str:
    return f"● {grouped(count)} new, {reload} to load" if count else ""


def show_all(back: str) -> str:
    return f"{back} all"


def pairs_of(label: str) -> str:
    return f"Pairs with “{label}”"


def queue_of(what: str) -> str:
    return f"Queue: {what}" if what else "Queue"


def with_store(store: str) -> str:
    return f"In {store}"


def progress(settled: int, left: int) -> str:
    done = f"{grouped(settled)} resolved today · " if settled else ""
    return f"{done}{grouped(left)} left"


def next_pair(line: str) -> str:
    return f" · next: {line}"


def taken_in(count: int) -> str:
    return f"Loaded {counted(count, 'new pair')}."


def copied(letter: str, where: str) -> str:
    return f"Copied {letter} to {where}."


def all_of(letter: str) -> str:
    return f"Memory {letter}"


def the_other(key: str) -> str:
    return f"{key} other memory"


def keep(letter: str) -> str:
    return f"keep {letter}"


def open_all(key: str) -> str:
    return f"{key} full text · "


def settled(verdict: str) -> str:
    return f"Already resolved: {verdict}."


def undo(key: str) -> str:
    return f"{key} undo"


def no_pair_in(title: str) -> str:
    return f"No open pairs in this view ({title})."


def all_waiting(back: str, count: int) -> str:
    return f"{back}  show all open pairs ({grouped(count)})"


def comparing(compared: int, total: int) -> str:
    return f"Comparing memories … {grouped(compared)} of {grouped(total)}"


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} not compared yet."


def to_be_compared(count: int) -> str:
    return f"About to compare {counted(count, 'memory')}."


def all_settled(count: int) -> str:
    return f"All pairs resolved, {grouped(count)} today."


def none_found(memories: int) -> str:
    return f"No contradictions or duplicates in {counted(memories, 'memory')}."


def snoozed(count: int) -> str:
    returns = "it comes back" if count == 1 else "they come back"
    return f"{counted(count, 'pair')} snoozed; {returns} automatically."


def browse(key: str) -> str:
    return f"{key}  browse memories"


def undo_last(key: str) -> str:
    return f"{key}  undo the last verdict"


def too_long(characters: int) -> str:
    return f"Too long to edit here: {characters:,} characters in total."


def merge_outcome(outcome: str) -> str:
    return f"ctrl+s  {outcome}"


def both_true_keys(keys: str) -> str:
    return f"⏎ both true · {keys}"


def open_for(days: int) -> str:
    return f"! open for {counted(days, 'day')}"


def used_by(count: int) -> str:
    return f"used by {grouped(count)}"


def not_shown(characters: int) -> str:
    return f"{counted(characters, 'more character')} not shown."


def either(a: str, b: str) -> str:
    return f"“{a}” vs “{b}”. "


def suggested(verdict: str) -> str:
    return f"Suggested: {verdict}. "


def no_suggestion(reason: str) -> str:
    return f"No suggestion. {reason}"


def snoozed_until(moment: str) -> str:
    return f"Snoozed until {moment}."


def decided(verdict: str, at: str, note: str) -> str:
    return f"✓ {verdict}, {at}." + (f" “{note}”" if note else "")


def not_now(reason: str) -> str:
    return f"Not available: {after_colon(reason)}"


def outcome(sentences: Iterable[str]) -> str:
    return " ".join(sentences) or NOTHING_WRITTEN
