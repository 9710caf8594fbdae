"""Every sentence of the Review screen."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.text import plural
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
SUBJECT = "The queue"
PAIRS_UNREADABLE = "The pairs could not be read"
PAIR_UNREADABLE = "The pair could not be read"
NOT_SETTLED = "Not settled"
NOT_MERGED = "Not merged"
NOT_COPIED = "Nothing was copied"

# Why a verdict cannot be given.
NO_WORKSPACE = "no workspace is open"
NO_PAIR = "no pair is shown"
NOTHING_TO_SETTLE = "Nothing to settle: no pair is shown."
READ_ONLY = "Nothing can be settled: the workspace is only read."
STILL_WRITING = "The verdict on this pair is still being written."
PAIR_IS_OVER = "This pair is over: nothing clashes any more."
NOT_DRAWN = "Not taken: this pair is not on the screen yet."
JUST_DRAWN = "Not taken: this pair has only just come up."
NOTHING_TO_OPEN = "Nothing to open: no pair is shown."
NOTHING_TO_GRAPH = "Nothing to show: no pair is shown."
NOTHING_TO_COPY = "Nothing to copy: no pair is shown."

# Panes.
WHY_THESE = "Why these two"
IF_KEPT = {"a": "If you keep A", "b": "If you keep B"}
MEMORY_GONE = "One of the two is gone from the workspace."
CANNOT_BE_KEPT = "cannot be kept now"
FOUND_TOGETHER = "They were found together."
NO_PREFERENCE = "Nothing speaks clearly for one of the two."
NO_LONGER = "Over: one of the two left or was changed, and they clash no more."
NOTHING_WRITTEN = "Nothing is written to a store."

# The queue and its filter.
OVER = "over"
OPEN_LONG = "! open long"
ALL_PAIRS = "All pairs"
WHICH_PAIRS = "Which pairs?"
FAMILIES = {"contradiction": "Contradictions", "duplicate": "Duplicates"}

# The empty queue.
NOTHING_YET = "Nothing was found so far."
READ_ONLY_SCAN = "This workspace is only read: nothing is looked for."
CONFLICTS_APPEAR = "What clashes or repeats comes to stand here."
NEW_WHEN_CONFLICT = "New ones appear here when memories clash."
NEW_WHEN_DISAGREE = "New ones appear here when agents disagree."
NO_MEMORIES = "No memories yet, so nothing clashes."

# The dialogs.
BOTH_TRUE = "Both are true"
NOTE_PLACEHOLDER = "a note, if you like: at work, until March …"
MERGE_A_AND_B = "Merge A and B"
CLEAN_FIRST = "It cannot be edited as it stands: ctrl+l takes the odd characters out."
NOTHING_TO_CLEAN = "Nothing to clean here."
CLEANED = "Cleaned; ctrl+s merges so."
DROPS_TEXT = "esc again drops your text; both memories stay as they are."
NOT_WRITABLE = "Not merged: the text cannot be written as it stands."
ODD_CHARACTERS = "Not merged: the text holds odd characters; ctrl+l takes them out."
EMPTY_TEXT = "Not merged: write something first; esc leaves."

# Verdicts.
NOT_THE_SAME = "not the same"
NO_CONTRADICTION = "no contradiction"

# What speaks for one memory.
USED_MORE = "used more"


def position(number: int, total: int) -> str:
    return f"{grouped(number)} of {grouped(total)}" if total else ""


def settled_today(count: int) -> str:
    return f"{grouped(count)} settled today" if count else ""


def later(count: int) -> str:
    return f"{grouped(count)} later" if count else ""


def new_pairs(count: int, reload: str) -> str:
    return f"● {grouped(count)} new  {reload}" if count else ""


def show_all(back: str) -> str:
    return f"{back} all"


def pairs_of(label: str) -> str:
    return f"Pairs of “{label}”"


def queue_of(what: str) -> str:
    return f"Queue: {what}" if what else "Queue"


def with_store(store: str) -> str:
    return f"With {store}"


def progress(settled: int, left: int) -> str:
    done = f"{grouped(settled)} settled today · " if settled else ""
    return f"{done}{grouped(left)} left"


def next_pair(line: str) -> str:
    return f" · next: {line}"


def taken_in(count: int) -> str:
    return f"{counted(count, 'new pair')} taken in."


def copied(letter: str, where: str) -> str:
    return f"Copied {letter} to {where}."


def all_of(letter: str) -> str:
    return f"{letter}, all of it"


def the_other(key: str) -> str:
    return f"{key} the other one"


def keep(letter: str) -> str:
    return f"keep {letter}"


def open_all(key: str) -> str:
    return f"{key} all of it · "


def settled(verdict: str) -> str:
    return f"Settled: {verdict}."


def undo(key: str) -> str:
    return f"{key} undo"


def no_pair_in(title: str) -> str:
    return f"No pair waits here: {title}."


def all_waiting(back: str, count: int) -> str:
    return f"{back}  all {counted(count, 'pair')} that wait"


def comparing(compared: int, total: int) -> str:
    return f"Comparing … {grouped(compared)} of {grouped(total)}"


def not_compared(count: int) -> str:
    return f"{counted(count, 'memory')} were not compared yet."


def to_be_compared(count: int) -> str:
    return f"{counted(count, 'memory')} to be compared: it begins by itself in a moment."


def all_settled(count: int) -> str:
    return f"All settled: {grouped(count)} today."


def none_found(memories: int) -> str:
    return f"No contradictions, no duplicates: {counted(memories, 'memory')} compared."


def put_off(count: int) -> str:
    returns = "it comes back by itself" if count == 1 else "they come back by themselves"
    return f"{counted(count, 'pair')} put off: {returns}."


def browse(key: str) -> str:
    return f"{key}  browse the memories"


def undo_last(key: str) -> str:
    return f"{key}  undo the last verdict"


def too_long(characters: int) -> str:
    return f"The two have {characters:,} characters together: too long to edit here."


def merge_outcome(outcome: str) -> str:
    return f"ctrl+s  {outcome}"


def both_true_keys(keys: str) -> str:
    return f"⏎ both true · {keys}"


def open_for(days: int) -> str:
    return f"! open for {counted(days, 'day')}"


def used_by(count: int) -> str:
    return f"used by {grouped(count)}"


def not_shown(characters: int) -> str:
    return f"{counted(characters, 'character')} more {plural(characters, 'is', 'are')} not shown."


def either(a: str, b: str) -> str:
    return f"“{a}” or “{b}”. "


def suggested(verdict: str) -> str:
    return f"Suggested: {verdict}. "


def no_suggestion(reason: str) -> str:
    return f"No suggestion. {reason}"


def postponed(until: str) -> str:
    return f"Put off until {until}."


def decided(verdict: str, at: str, note: str) -> str:
    return f"✓ {verdict}, {at}." + (f" “{note}”" if note else "")


def not_now(reason: str) -> str:
    return f"Not now: {reason}"


def outcome(sentences: Iterable[str]) -> str:
    return " ".join(sentences) or NOTHING_WRITTEN
