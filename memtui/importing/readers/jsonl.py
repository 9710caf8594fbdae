"""JSONL, one object a line, as `memtui export --as jsonl` writes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memtui.importing import wording
from memtui.importing.fields import WrongValue, fields_of, uids_of
from memtui.importing.reader import MOST_LINE, Found, Reader, lines
from memtui.memory.imported import Imported, Unreadable


def _no_number(name: str) -> None:
    raise ValueError(name)


DECODER = json.JSONDecoder(parse_constant=_no_number)  # NaN and infinities are no JSON

LINES = (".jsonl", ".ndjson")  # suffixes


def recognise(path: Path, head: str) -> bool:
    """Return whether it has the suffix, or begins with an object that does not end the file."""
    if path.suffix.lower() in LINES:
        return True
    return head.lstrip().startswith("{") and path.suffix.lower() != ".json"


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each line that is not empty."""
    for number, line in lines(text):
        if len(line) > MOST_LINE:
            yield Unreadable(number, "too-long", wording.LINE_TOO_LONG)
        elif line and not line.isspace():
            try:
                value = DECODER.decode(line)
            except RecursionError:
                yield Unreadable(number, "too-deep", wording.TOO_DEEP)
            except ValueError:
                yield Unreadable(number, "not-json", wording.NOT_JSON)
            else:
                yield memory_of(number, value)


def memory_of(number: int, value: Any) -> Found:
    """Return the memory of a JSON object that begins in this line; a text is a memory, too."""
    if isinstance(value, str):
        return Imported(number, {"content": value})
    if not isinstance(value, dict):
        return Unreadable(number, "not-an-object", wording.NOT_AN_OBJECT)
    try:
        return Imported(number, *fields_of(value), "", *uids_of(value))
    except WrongValue as wrong:
        return Unreadable(number, "wrong-value", wrong.reason)


READER = Reader("jsonl", "JSONL", recognise, read)
