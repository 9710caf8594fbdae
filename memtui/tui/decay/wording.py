"""Every sentence of the Decay screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.text import plural
from memtui.tui.text.glyphs import counted, grouped

# What could not be done.
OUTLOOK_FAILED = "Could not compute the forecast"
MEMORY_UNREADABLE = "Could not load the memory"
NOT_SAVED = "Not saved"
NOT_RUN = "Decay did not run"

# The list.
WORKING = "Computing the forecast …"
NO_MEMORIES = "No memories yet, so nothing to forecast."
NOTHING_TO_OPEN = "Nothing to open: the list is empty."
LIST_EMPTY = "the list is empty"

# The horizon and the view.
FARTHEST = "Five years is the longest range."
NEAREST = "One week is the shortest range."
ONLY_LEAVING = "Showing only memories that will leave their store."
ALL_CHANGES = "Showing all changes, including score, label and tier changes."

# Trials.
OWN_LIFECYCLES_AGAIN = "Each store uses its own lifecycle again."
OWN_LIFECYCLES = "each store uses its own lifecycle"

# Running what is due.
READ_ONLY = "Can't run decay: the workspace is read-only."
NOTHING_DUE = "Nothing is due, or decay already ran today."

# The chart.
STRENGTH = "Strength"
CURVES = (("A", "as is"), ("P", "if pinned"), ("U", "if used once"))
NOW = "now"

# What a pin changes.
PIN_IS_NOT_ENOUGH = "a pin won't stop its expiry"


def strength_of(label: str) -> str:
    return f"Strength of “{label}”" if label else STRENGTH


def list_title(days: int, nothing_before: int | None, *, leaving: bool) -> str:
    """`nothing_before`: days in which nothing leaves, where the list therefore looks farther ahead."""
    what = "Leaving" if leaving else "Changing"
    before = f"; none leave in the first {nothing_before}" if nothing_before is not None else ""
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
    return f"The first one {'leaves' if leaving else 'changes'} {when}."


def look_farther(longer: str) -> str:
    return f"{longer}  look further ahead"


def show_all_changes(view: str) -> str:
    return f"{view}  show all changes"


def half_life(category: str, days: float, *, tried: bool) -> str:
    return f"{category} half-life: {days:g} d{' (trial)' if tried else ''}"


def half_life_by_rule(rule: str, days: float) -> str:
    """`rule` is "" until its name was read."""
    return f"half-life: {days:g} d by {f'the rule “{rule}”' if rule else 'a rule'}"


def half_life_is_ruled(rule: str) -> str:
    return f"{f'the rule “{rule}”' if rule else 'a rule'} sets the half-life of this memory"


def no_half_life(lifecycle: str, try_key: str) -> str:
    return f"{lifecycle} has no adjustable half-life; press {try_key} to try another lifecycle"


def half_life_tried(category: str, days: float) -> str:
    return f"Trying a half-life of {days:g} {plural(days, 'day')} for {category}."


def save_hint(save: str) -> str:
    return f"{save} saves it"


def trying(lifecycle: str) -> str:
    return f"Trying {lifecycle} for all memories."


def nothing_to_save(slower: str) -> str:
    return f"Nothing to save: no half-life was changed. Press {slower} to change one."


def half_life_setting(category: str, days: float, before: float) -> str:
    return f"{category} half-life: {days:g} {plural(days, 'day')} (was {before:g})"


def founder_os_setting(reading: object, before: str) -> str:
    return f"Founder OS decay: {reading} (was {before})"


def saved(settings: Iterable[str]) -> str:
    return f"Saved: {', '.join(settings)}."


def saved_in(path: Path) -> str:
    return f"Written to {path}."


def due(count: int, leaving: int, first: Sequence[str]) -> str:
    """What a run would do: how many memories, and the first of them."""
    leave = f"{grouped(leaving)} will leave" if leaving else "none will leave"
    names = ", ".join(first) + (" …" if count > len(first) else "")
    return f"{counted(count, 'memory')} due, {leave}: {names}."


def not_run(reason: str) -> Refused:
    """`reason`: why the first memory that was due was skipped; empty if none was."""
    return Refused(
        "due", reason or "Nothing is due anymore.", "Skipped memories are still due." if reason else ""
    )


def run_again(run: str, undo: str) -> str:
    return f"press {run} again to run; {undo} undoes it"


def why(rule: str) -> str:
    return f"Why: {rule}"


def pin_keeps(pin: str, *, in_memtui: bool) -> str:
    return f"{pin} pins it" + (" (only in memtui)" if in_memtui else "")


def pace(weeks: Sequence[int], total: int, days: int, *, leaving: bool, complete: bool) -> str:
    """How many leave, or change, week by week and in all; `complete` says that no week is left out."""
    what = f"{'Leaving' if leaving else 'Changing'} {'this' if len(weeks) == 1 else 'per'} week"
    numbers = ", ".join((*map(grouped, weeks), *(() if complete else ("…",))))
    return f"{what}: {numbers} · {grouped(total)} in {counted(days, 'day')}"


def rules(tried: str, half_life: str, pinned: int) -> str:
    """By which rules the list was made: a lifecycle tried on all, or each store's own."""
    parts = (
        f"trial: {tried} for all memories" if tried else OWN_LIFECYCLES,
        half_life,
        f"{grouped(pinned)} pinned (never leave{'s' if pinned == 1 else ''})" if pinned else "",
    )
    return " · ".join(part for part in parts if part)
