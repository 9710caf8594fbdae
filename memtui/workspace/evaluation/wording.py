"""Every sentence about measuring on labelled sets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.errors import Refused
from memtui.text import counted

NOTHING_MEASURED = "Nothing was measured."
SWITCHED_OFF = "Semantic search is off (setting: model)."

# What is wrong with a line.
NOT_AN_OBJECT = "not a JSON object"
MEMORY_SHAPE = 'expected a memory like {"id": …, "text": "…"}'
QUESTION_SHAPE = 'expected a question like {"question": "…", "relevant": ["id", …]}'


def not_json(error: BaseException) -> str:
    return f"invalid JSON ({error})"


def pair_shape(labels: Iterable[str]) -> str:
    return 'expected a pair like {"a": "…", "b": "…", "label": "' + '" | "'.join(labels) + '"}'


def repeated_id(id: str) -> str:
    return f"duplicate id {id} in its group"


def unknown_group(group: str) -> str:
    return f"group {group} has no memories" if group else "the question has no group, but the memories do"


def bad_line(path: Path, number: int, reason: str) -> Refused:
    return Refused("bad-line", f"{path.name}, line {number}: {reason}.", NOTHING_MEASURED)


def unreadable(path: Path, reason: str | None) -> Refused:
    return Refused("unreadable", f"Could not read {path}: {reason}.")


def not_utf8(path: Path) -> Refused:
    return Refused("unreadable", f"{path} is not valid UTF-8.")


def no_pairs(path: Path) -> Refused:
    return Refused("empty", f"{path} contains no pairs.", NOTHING_MEASURED)


def no_questions(path: Path) -> Refused:
    return Refused("empty", f"{path} contains no questions with answers.")


def memories_not_embedded(count: int, reason: str) -> Refused:
    return _not_embedded(f"{counted(count, 'memory')}: {reason}")


def question_not_embedded(reason: str) -> Refused:
    return _not_embedded(f"a question: {reason}")


def _not_embedded(what: str) -> Refused:
    return Refused("model", f"Could not embed {what}", NOTHING_MEASURED)


def not_loaded(error: BaseException) -> str:
    return f"Could not load the model: {error!r}."
