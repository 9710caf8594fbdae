"""JSON objects, one a line, from a file that nobody made with care (S-36)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memtui.errors import Refused

_LONGEST = 1 << 20  # characters of a line


def lines(path: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    """The objects with their lines' numbers, from 1; Refused names the line that is none."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(iter(lambda: file.readline(_LONGEST), ""), 1):
                if not text.strip():
                    continue
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError) as trouble:
                    raise wrong(path, number, f"it is no JSON ({trouble})") from None
                if not isinstance(line, dict):
                    raise wrong(path, number, "it is no JSON object")
                yield number, line
    except OSError as trouble:
        raise Refused("unreadable", f"{path} cannot be read: {trouble.strerror}.") from trouble
    except UnicodeDecodeError:
        raise Refused("unreadable", f"{path} is not UTF-8.") from None


def wrong(path: Path, number: int, why: str) -> Refused:
    """What is wrong with a line."""
    return Refused("bad-line", f"{path.name}, line {number}: {why}.", "Nothing was measured.")
