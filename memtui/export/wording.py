"""Every sentence of exports and their previews."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.memory.memory import label_of
from memtui.memory.selection.budget import Judged, Reason
from memtui.text import counted

NOTHING_WRITTEN = "Nothing was written."
HOLDS_SECRET = "it contains a secret; --reveal exports it"
NO_MATCH = "No memories match."
_LABEL = 60  # characters of a memory that is named

PINNED_HEADING = "Pinned"
OTHER_HEADING = "Other memories"
PINNED = "pinned"

# What exporters write, where a file name does not say it.
MARKDOWN = "Markdown list for people"
PROFILE = "Profile of the user"
XML = "XML tags for a prompt"

# The limits of formats, for people, and why they leave a memory out.
FOUNDER_OS_LIMITS = "at most {most} memories, confirmed or applied"
CORE_LIMITS = "at most {characters:,} characters, {most} memories a section, scores of {least:g} or more"
REFLECTION_LIMITS = "names the memories of frequent tags, the most used ones and the latest insights"
PROFILE_LIMITS = "confirmed memories only; health, finance and identity papers are named as topics"
IS_SUMMARY = "counted, but not named in a summary"
NO_SECTION = "the profile has no section for it"


def at_most(count: int) -> str:
    return f"at most {counted(count, 'memory')}"


def at_most_in_section(count: int) -> str:
    return f"at most {count:,} in a section"


def at_most_characters(count: int) -> str:
    return f"at most {count:,} characters"


def only_statuses(status: str, allowed: Sequence[str]) -> str:
    return f"{status}, not {' or '.join(allowed)}"


def weak(score: float, least: float) -> str:
    return f"score {score:.2f} is below {least:g}"


def sensitive(topic: str) -> str:
    return f"sensitive: named as the topic {topic} only"


# Why a memory is in an export or left out.
REASONS = {
    Reason.PINNED: "pinned",
    Reason.CONSTRAINT: "hard constraint",
    Reason.TASK: "current task",
    Reason.DECISION: "decision",
    Reason.PREFERENCE: "preference",
    Reason.OTHER: "other",
    Reason.CHOSEN: "included by you",
    Reason.TAKEN_OUT: "left out by you",
    Reason.NOT_VALID: "not valid now",
    Reason.DUPLICATE: "duplicate of {other}",
    Reason.CONTRADICTS: "contradicts {other}",
    Reason.NO_ROOM: "no room in the budget",
    Reason.FORMAT_LIMIT: "{other}",
}
PINNED_WITHOUT_ROOM = "pinned, but no room in the budget"


def category_heading(category: str) -> str:
    return category[0].upper() + category[1:]


def contradicted_by(count: int) -> str:
    return f" (contradicted by {counted(count, 'memory')} in this list)"


def reason(judged: Judged, other: str) -> str:
    """Why a memory is in or left out; `other` names the memory that it repeats or contradicts, or a limit."""
    if judged.reason is Reason.NO_ROOM and judged.candidate.memory.pinned:
        return PINNED_WITHOUT_ROOM
    return REASONS[judged.reason].format(other=other)


def file_exists(path: Path) -> Refused:
    return Refused("exists", f"{path} already exists.", "To replace it: --force", unchanged=NOTHING_WRITTEN)


def no_regular_file(path: Path) -> Refused:
    reason = f"{path} is a device or a pipe, which a file would replace."
    return Refused("no-file", reason, "To write into it: -o - > PATH", unchanged=NOTHING_WRITTEN)


def not_written(path: Path, why: str) -> Refused:
    return Refused("not-written", f"{path} can't be written: {why}.", unchanged=NOTHING_WRITTEN)


def exported(count: int, tokens: int | None, unit: str, budget: int | None, to: str) -> str:
    """What was exported `to` a file or a clipboard; "" is standard output. No `tokens` were not counted."""
    of = f" of {budget:,}" if budget is not None else ""
    size = f": {tokens:,}{of} {unit}" if tokens is not None else ""
    return f"Exported {counted(count, 'memory')}{f' to {to}' if to else ''}{size}."


def too_small(over: int, unit: str) -> str:
    return f"The budget is too small: the format without any memory takes {over:,} {unit} more."


def left_out(judged: Judged) -> str:
    memory = judged.candidate.memory
    label = label_of(memory.title, memory.subject, memory.content)
    label = label if len(label) <= _LABEL else f"{label[:_LABEL]}…"
    tokens = f", {judged.tokens:,}" if judged.tokens else ""
    return f"Left out: {memory.uid} ({reason(judged, judged.other)}{tokens}): {label}"


def pinned_left_out(count: int, tokens: int, unit: str) -> str:
    verb = "doesn't fit: it needs" if count == 1 else "don't fit: they need"
    return f"{counted(count, 'pinned memory')} {verb} {tokens:,} {unit} more."


def with_secrets(uids: Sequence[str], most: int) -> str:
    """Names at most `most` of the exported memories that contain a secret."""
    more = f" and {len(uids) - most:,} more" if len(uids) > most else ""
    verb = "contains" if len(uids) == 1 else "contain"
    return f"{counted(len(uids), 'exported memory')} {verb} a secret: {', '.join(uids[:most])}{more}"


def not_compared(count: int) -> str:
    how = "contradictions and duplicates among them are unknown until memtui contradictions scan."
    return f"{counted(count, 'memory')} not compared yet: {how}"


def more_left_out(count: int) -> str:
    return f"Left out: {count:,} more. --json lists all."


# New stores.
EXPORTING = "exporting"  # before the progress


def store_place_taken(path: Path) -> Refused:
    return Refused(
        "exists", f"{path} already exists.", "Name a new path for the store.", unchanged=NOTHING_WRITTEN
    )


def export_stopped() -> Refused:
    return Refused("stopped", "The export was stopped.", unchanged=NOTHING_WRITTEN)


def nothing_to_export() -> Refused:
    return Refused("nothing", "No memories to export.", unchanged=NOTHING_WRITTEN)


def none_fits(title: str, reasons: Sequence[str]) -> Refused:
    why = reasons[0] if len(set(reasons)) == 1 else f"{len(reasons):,} memories, for several reasons."
    return Refused("nothing", f"{title} can't hold any of them: {why}", unchanged=NOTHING_WRITTEN)


def store_made(count: int, title: str, root: Path) -> str:
    return f"Exported {counted(count, 'memory')} to a new {title} store: {root}"


def fields_changed(field: str, count: int) -> str:
    return f"Changed to fit: {field} of {counted(count, 'memory')}."


def fields_lost(field: str, count: int) -> str:
    return f"Not in this format: {field} of {counted(count, 'memory')}."


def relations_exported(count: int) -> str:
    return f"With {counted(count, 'relation')} among them."


def relations_lost(count: int) -> str:
    return f"Not in the new store: {counted(count, 'relation')} among them."


def not_stored(uid: str, why: str) -> str:
    return f"Left out: {uid}: {why}"
