"""Reading JSON objects, one per line, from files of unknown quality (S-36)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from memtui.values import JsonObject
from memtui.workspace.evaluation import wording

_LONGEST = 1 << 20  # characters of a line


def lines(path: Path) -> Iterable[tuple[int, JsonObject]]:
    """Yield the objects with their line numbers, from 1; raise Refused naming a line that is not one."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, text in enumerate(iter(lambda: file.readline(_LONGEST), ""), 1):
                if not text.strip():
                    continue
                try:
                    line = json.loads(text)
                except (ValueError, RecursionError) as error:
                    raise wording.bad_line(path, number, wording.not_json(error)) from None
                if not isinstance(line, dict):
                    raise wording.bad_line(path, number, wording.NOT_AN_OBJECT)
                yield number, line
    except OSError as error:
        raise wording.unreadable(path, error.strerror) from error
    except UnicodeDecodeError:
        raise wording.not_utf8(path) from None
