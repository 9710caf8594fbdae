"""Every sentence of the export dialog (S-70, S-71, S-73)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.export import wording as export
from memtui.memory.selection.budget import MARK, OMIT, Judged, Reason
from memtui.text import after_colon, plural, size_text
from memtui.tui.text.glyphs import counted, grouped

# What could not be done; an error's own text follows.
NOT_PACKED = "Could not put the export together"
NOT_COPIED = "Could not copy"
NOT_WRITTEN = "Could not write the export"

# The list on Browse.
STILL_LOADING = "Can't export yet: the list is still loading."
NOTHING = "Nothing to export: there are no memories."

# The choices.
TITLE = "Export"
WHAT, AS, BUDGET, CONTRADICTIONS = "What", "As", "Budget", "Contradictions"
NO_LIMIT = "none"
TREATMENTS = {OMIT: "leave out", MARK: "mark both"}
STORE_HAS_NONE = "a new store has every memory"


def in_marked(count: int) -> str:
    return f"{grouped(count)} marked"


def in_search(count: int) -> str:
    return f"{grouped(count)} in this search"


def in_group(name: str, count: int) -> str:
    return f"in {name} ({grouped(count)})"


def in_all(count: int) -> str:
    return f"all {grouped(count)}"


def new_store(title: str) -> str:
    return f"new {title} store"


def choice(text: str, place: int, count: int) -> str:
    """A choice among several while it can be changed."""
    return f"‹ {text} › {place} of {count}"


def budget_hint(unit: str) -> str:
    return f"{unit} at most; empty: no limit"


# The meter.
PACKING = "Putting it together …"


def packing(done: int, total: int) -> str:
    if done == total:
        return PACKING
    return f"{PACKING} {grouped(done)} of {counted(total, 'memory')}"


def too_many(over: int) -> str:
    return f"{grouped(over)} over"


def uses(tokens: int, budget: int | None, unit: str) -> str:
    if budget is None:
        return f"uses {grouped(tokens)} {_units(unit, tokens)}, no limit"
    return f"uses {grouped(tokens)} of {grouped(budget)} {_units(unit, budget)}"


def with_secrets(count: int) -> str:
    return f"{grouped(count)} with a secret"


def not_counted(title: str) -> str:
    return f"no token count: without a budget, {title} has every memory"


def _units(unit: str, count: int) -> str:
    return plural(count, unit.removesuffix("s"))


# The preview.
NONE_IN = "No memory is in the export."
NONE_OUT = "Nothing is left out."


def included(count: int) -> str:
    return f"In: {grouped(count)}"


def left_out(count: int) -> str:
    return f"Out: {grouped(count)}"


def reason(judged: Judged, other: str) -> str:
    """Why a memory is in or out; `other` is the label of the memory that it repeats or contradicts."""
    is_limit = judged.reason is Reason.FORMAT_LIMIT
    return export.reason(judged, judged.other if is_limit else f"“{other}”")


def why(reason: str, tokens: int, unit: str, *, is_in: bool) -> str:
    """The whole reason of the memory under the cursor."""
    size = f" ({grouped(tokens)} {_units(unit, tokens)})" if tokens else ""
    return f"{'In' if is_in else 'Out'}: {reason}{size}"


def kept_out(title: str, limit: str) -> str:
    return f"Can't go into {title}: {after_colon(limit)}."


PICK_ONE = "Press tab to go to the memories; space takes one in or out there."

# The text.
NO_TEXT = "A new store has no text to show."


def text_title(tokens: int | None, unit: str) -> str:
    return "Exact text" if tokens is None else f"Exact text: {grouped(tokens)} {_units(unit, tokens)}"


def more_text(characters: int) -> str:
    return f"… {counted(characters, 'more character')}, which a copy or file has."


# Copying and writing.
NONE_TO_EXPORT = "Nothing to export: no memory is in."
TYPE_A_PATH = "Type the path of a file."
STORE_NOT_COPIED = "A store can't be copied; w writes it."
FILE_TITLE = "Write the export to a file"


def store_title(kind: str) -> str:
    return f"Make a {kind}"


STOPPING = "Stopping …"


def writing(done: int, total: int) -> str:
    return f"Writing … {grouped(done)} of {counted(total, 'memory')}. esc stops."


def too_long(size: int) -> str:
    return f"Not copied: {size_text(size)} is too long for the clipboard. w writes a file."


def copied(memories: int, tokens: int | None, unit: str, clipboards: str) -> str:
    return f"Copied {_exported(memories, tokens, unit)} to {clipboards}."


def secrets_in(count: int) -> str:
    """Said behind what was copied or written."""
    return f"{counted(count, 'memory')} with a secret" if count else ""


def written(memories: int, tokens: int | None, unit: str, path: Path) -> str:
    return f"Wrote {_exported(memories, tokens, unit)} to {path}"


ONLY_YOU = "Only you will be able to read the file."


def _exported(memories: int, tokens: int | None, unit: str) -> str:
    size = "" if tokens is None else f" ({grouped(tokens)} {_units(unit, tokens)})"
    return f"{counted(memories, 'memory')}{size}"


def exists(path: Path) -> str:
    return f"{path} exists. Press ⏎ again to replace it."


def is_folder(path: Path) -> str:
    return f"{path} is a folder. Add the name of a file."


def unknown_user(text: str) -> str:
    return f"No such user: {text}"


def refused(reason: str, advice: str) -> str:
    return f"{reason} {advice}".strip()


def store_made(memories: int, title: str, root: Path) -> str:
    return f"Wrote {counted(memories, 'memory')} to a {title}: {root}"


def not_stored(count: int, reason: str) -> str:
    return f"{counted(count, 'memory')} left out: {after_colon(reason)}"


def lost(fields: Mapping[str, int], relations: int) -> str:
    """ "Not in it: tags of 3 memories, 1 relation." """
    parts = [*_by_field(fields), *([counted(relations, "relation")] if relations else [])]
    return f"Not in it: {', '.join(parts)}."


def changed(fields: Mapping[str, int]) -> str:
    return f"Changed to fit: {', '.join(_by_field(fields))}."


def _by_field(fields: Mapping[str, int]) -> list[str]:
    return [f"{name.replace('_', ' ')} of {counted(count, 'memory')}" for name, count in fields.items()]
