"""Every sentence about measuring on labelled sets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.errors import Refused
from memtui.text import counted

NOTHING_MEASURED = "Nothing was measured."
SWITCHED_OFF = "Searching by meaning is switched off (setting: model)."

# What is wrong with a line.
NOT_AN_OBJECT = "it is no JSON object"
MEMORY_SHAPE = 'a memory is {"id": …, "text": "…"}'
QUESTION_SHAPE = 'a question is {"question": "…", "relevant": ["id", …]}'


def not_json(error: BaseException) -> str:
    return f"it is no JSON ({error})"


def pair_shape(labels: Iterable[str]) -> str:
    return 'a pair is {"a": "…", "b": "…", "label": "' + '" | "'.join(labels) + '"}'


def repeated_id(id: str) -> str:
    return f"the id {id} is there twice in its group"


def unknown_group(group: str) -> str:
    return f"no memory has its group, {group or 'which is none'}"


def bad_line(path: Path, number: int, reason: str) -> Refused:
    return Refused("bad-line", f"{path.name}, line {number}: {reason}.", NOTHING_MEASURED)


def unreadable(path: Path, reason: str | None) -> Refused:
    return Refused("unreadable", f"{path} cannot be read: {reason}.")


def not_utf8(path: Path) -> Refused:
    return Refused("unreadable", f"{path} is not UTF-8.")


def no_pairs(path: Path) -> Refused:
    return Refused("empty", f"{path} holds no pair.", NOTHING_MEASURED)


def no_questions(path: Path) -> Refused:
    return Refused("empty", f"{path} holds no question with an answer.")


def memories_not_embedded(count: int, reason: str) -> Refused:
    return _not_embedded(f"{counted(count, 'memory')}: {reason}")


def question_not_embedded(reason: str) -> Refused:
    return _not_embedded(f"a question: {reason}")


def _not_embedded(what: str) -> Refused:
    return Refused("model", f"The model could not embed {what}", NOTHING_MEASURED)


def not_loaded(error: BaseException) -> str:
    return f"The model cannot be loaded: {error!r}."
