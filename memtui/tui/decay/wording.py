"""Every sentence of the Decay screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.text import plural
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
OUTLOOK_FAILED = "What decay takes could not be worked out"
MEMORY_UNREADABLE = "The memory could not be read"
NOT_SAVED = "Nothing was saved"
NOT_RUN = "Nothing was done"

# The list.
WORKING = "Working out what fades …"
NO_MEMORIES = "No memories yet, so nothing fades."
NOTHING_TO_OPEN = "Nothing to open: the list is empty."
LIST_EMPTY = "the list is empty"

# The horizon and the view.
FARTHEST = "Five years are the farthest."
NEAREST = "A week is the nearest."
WHAT_LEAVES = "What leaves."
ALL_CHANGES = "All that changes: steps, labels, tiers too."

# Trials.
OWN_LIFECYCLES_AGAIN = "Each store by its own lifecycle again."
OWN_LIFECYCLES = "each store by its own lifecycle"

# Running what is due.
READ_ONLY = "Nothing can be done: the workspace is only read."
NOTHING_DUE = "Nothing is due, or it was done today."

# The chart.
STRENGTH = "Strength"
CURVES = (("A", "as it is"), ("P", "if pinned"), ("U", "if used once"))
NOW = "now"

# What a pin changes.
PIN_KEEPS_NOT = "no pin stops its expiry date"


def strength_of(label: str) -> str:
    return f"Strength of “{label}”" if label else STRENGTH


def list_title(days: int, nothing_before: int | None, *, leaving: bool) -> str:
    """`nothing_before`: days in which nothing leaves, where the list therefore looks farther ahead."""
    what = "Leaving" if leaving else "Changing"
    before = f"; nothing leaves in {nothing_before}" if nothing_before is not None else ""
    return f"{what} in the next {grouped(days)} days{before}"


def list_counts(number: int, total: int, marked: int, live: int | None) -> str:
    parts = (
        f"{grouped(number)} of {grouped(total)}" if total else "none",
        f"{grouped(marked)} marked" if marked else "",
        f"{grouped(live)} live" if live is not None else "",
    )
    return " · ".join(part for part in parts if part)


def nothing_within(days: int, *, leaving: bool) -> str:
    return f"Nothing {'leaves' if leaving else 'changes'} in the next {grouped(days)} days."


def first_event(when: str, *, leaving: bool) -> str:
    return f"The first {'leaves' if leaving else 'changes'} {when}."


def look_farther(longer: str) -> str:
    return f"{longer}  look farther ahead"


def show_all_changes(view: str) -> str:
    return f"{view}  what fades without leaving"


def half_life(category: str, days: float, *, tried: bool) -> str:
    return f"half-life of {category} {days:g} d{' (tried)' if tried else ''}"


def no_half_life(lifecycle: str, try_key: str) -> str:
    return f"{lifecycle} has no half-life that can be set; {try_key} tries another"


def half_life_tried(category: str, days: float) -> str:
    return f"Tried: half of a {category} fades in {days:g} days."


def keeps_that(save: str) -> str:
    return f"{save} keeps that"


def what_if(lifecycle: str) -> str:
    return f"What if all aged as in {lifecycle}?"


def nothing_to_save(slower: str) -> str:
    return f"Nothing to keep: no half-life was changed. {slower} changes one."


def half_life_setting(category: str, days: float, before: float) -> str:
    return f"half of a {category} fades in {days:g} {plural(days, 'day')} (was {before:g})"


def founder_os_setting(reading: object, before: str) -> str:
    return f"Founder OS is read {reading} (was {before})"


def saved(settings: Iterable[str]) -> str:
    return f"Kept: {', '.join(settings)}."


def saved_in(path: Path) -> str:
    return f"In {path}, from now on."


def due(count: int, leaving: int, first: Sequence[str]) -> str:
    """What a run would do: how many memories, and the first of them."""
    leave = f"{grouped(leaving)} leave{'s' if leaving == 1 else ''}" if leaving else "none leaves"
    names = ", ".join(first) + (" …" if count > len(first) else "")
    return f"{counted(count, 'memory')} due, {leave}: {names}."


def not_run(reason: str) -> Refused:
    """`reason`: why the first memory that was due was left; empty if none was."""
    return Refused(
        "due", reason or "Nothing is due any more.", "What was left is still due." if reason else ""
    )


def run_again(run: str, undo: str) -> str:
    return f"{run} again does it, {undo} takes it back"


def why(rule: str) -> str:
    return f"Why: {rule}"


def pin_keeps(pin: str, *, in_memtui: bool) -> str:
    return f"{pin} keeps it" + (", in memtui alone" if in_memtui else "")


def pace(weeks: Sequence[int], total: int, days: int, *, leaving: bool) -> str:
    """How many leave, or change, week by week and in all."""
    soon = weeks[0] if weeks else 0
    text = f"{grouped(soon)} {'leave' if leaving else 'change'}{'s' if soon == 1 else ''} this week"
    if len(weeks) > 1:
        text += f", then {', '.join(map(grouped, weeks[1:]))} a week"
    return f"{text} · {grouped(total)} in {counted(days, 'day')}"


def rules(tried: str, half_life: str, pinned: int) -> str:
    """By which rules the list was made: a lifecycle tried on all, or each store's own."""
    parts = (
        f"what if all aged as in {tried}" if tried else OWN_LIFECYCLES,
        half_life,
        f"{grouped(pinned)} pinned never leave{'s' if pinned == 1 else ''}" if pinned else "",
    )
    return " · ".join(part for part in parts if part)
