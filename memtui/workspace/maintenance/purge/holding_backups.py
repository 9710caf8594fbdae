"""Finding the backups that contain a text."""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from memtui.memory.stores import Backup
from memtui.workspace.context import Context
from memtui.workspace.stores import backups

_SHORT = 12  # characters of a line that many memories may share
_CHUNK = 40  # characters of a part that is searched for
_MAX_LINES = 4  # of a text that are searched for

# The lines of a text, each as its parts in every encoding that a copy may have them in.
Needles: TypeAlias = list[list[bytes]]


def backups_with(ctx: Context, texts: Sequence[str]) -> tuple[Backup, ...]:
    """Return the backups that contain the longest lines of one of the texts; short lines (a heading) are in
    many memories and prove nothing."""
    wanted = [needles for text in texts if (needles := _needles(text))]
    return tuple(each for each in backups.listed(ctx) if wanted and _contains(Path(each.path), wanted))


def _needles(text: str) -> Needles:
    """Return what to search for; parts of lines, since a database may store a text in two places."""
    lines = sorted({line.strip() for line in text.splitlines() if line.strip()}, key=len, reverse=True)
    long = [line for line in lines if len(line) >= _SHORT][:_MAX_LINES] or lines[:1]
    return [[each for part in _parts(line) for each in _encodings(part)] for line in long]


def _parts(line: str) -> list[str]:
    middle = len(line) // 2
    if len(line) > _CHUNK:
        return [line[:_CHUNK], line[middle : middle + _CHUNK], line[-_CHUNK:]]
    return [line[:middle], line[middle:]] if len(line) >= 2 * _SHORT else [line]


def _encodings(part: str) -> list[bytes]:
    spellings = {part, json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1]}
    encoded = [each.encode("utf-8", "surrogatepass") for each in sorted(spellings)]
    return [*encoded, part.encode("utf-16-le", "surrogatepass")]


def _contains(copy: Path, wanted: Sequence[Needles]) -> bool:
    """Return whether a finished copy contains a part of each line of one of the texts."""
    try:
        with copy.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(all(any(data.find(part) >= 0 for part in line) for line in lines) for lines in wanted)
    except (FileNotFoundError, ValueError):  # deleted meanwhile; empty
        return False
