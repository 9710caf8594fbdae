"""A list of lines, each a memory, as one copies it out of ChatGPT's or Claude's settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from memtui.importing.reader import Found, Reader, lines
from memtui.importing.statements import (
    BULLET,
    FENCE,
    LEAD_IN,
    RULE,
    heading_of,
    statement_fields,
    under_heading,
)
from memtui.memory.imported import Imported


def recognise(path: Path, head: str) -> bool:
    """Return True: it reads what no other recognises."""
    return True


def read(text: str) -> Iterator[Found]:
    """Yield a memory for each line that says something."""
    heading = ""
    for number, line in lines(text):
        if FENCE.match(line) or RULE.fullmatch(line) or not line.strip():
            continue
        if found := heading_of(line):
            heading = found
        elif len(line) <= LEAD_IN and line.rstrip().endswith(":") and not BULLET.match(line):
            continue  # "Here is what I remember:"
        elif (fields := statement_fields(line.strip()))["content"]:
            yield Imported(number, {**under_heading(heading), **fields})


READER = Reader("lines", "Lines", recognise, read, rank=2)
