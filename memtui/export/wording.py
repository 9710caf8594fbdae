"""Every sentence of exports and their previews."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import Refused
from memtui.memory.memory import label_of
from memtui.memory.selection.budget import Judged, Reason
from memtui.text import counted

NOTHING_WRITTEN = "Nothing was written."

PINNED_HEADING = "Pinned"
OTHER_HEADING = "Other memories"

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


def category_heading(category: str) -> str:
    return category[0].upper() + category[1:]


def contradicted_by(count: int) -> str:
    return f" (contradicted by {counted(count, 'memory')} in this list)"


def reason(code: Reason, other: str) -> str:
    return REASONS[code].format(other=other)


def file_exists(path: Path) -> Refused:
    return Refused("exists", f"{path} already exists.", "To replace it: --force", unchanged=NOTHING_WRITTEN)


def not_written(path: Path, why: str) -> Refused:
    return Refused("not-written", f"{path} can't be written: {why}.", unchanged=NOTHING_WRITTEN)


def exported(count: int, tokens: int, unit: str, budget: int | None, file: Path | None) -> str:
    size = f"{tokens:,} of {budget:,} {unit}" if budget is not None else f"{tokens:,} {unit}"
    to = f" to {file}" if file is not None else ""
    return f"Exported {counted(count, 'memory')}{to}: {size}."


def left_out(judged: Judged) -> str:
    memory = judged.candidate.memory
    label = label_of(memory.title, memory.subject, memory.content)
    return f"Left out: {memory.uid} ({reason(judged.reason, judged.other)}, {judged.tokens:,}): {label}"
