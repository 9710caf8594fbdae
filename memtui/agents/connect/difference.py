"""The difference that an edit makes, as `diff -u` shows it (S-87)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

_CONTEXT = 3  # lines
_WIDEST = 240  # characters of a line that are shown, from a few before the change on
_BEFORE = 60
_NO_FILE = "/dev/null"


def difference(
    file: str, before: bytes | None, after: bytes | None, masked: Callable[[str], str]
) -> list[str]:
    """Return the lines of a unified diff of a file, None where there is none.

    The lines it shows are `masked` together, before they are cut to fit. Only the part that differs is
    compared, since files may have megabytes.
    """
    old, new = (_lines(each) for each in (before, after))
    first, last = _common(old, new), _common(old[::-1], new[::-1])
    last = min(last, len(old) - first, len(new) - first)
    start, rest = max(0, first - _CONTEXT), max(0, last - _CONTEXT)
    windows = [lines[start : len(lines) - rest] for lines in (old, new)]
    shown = [masked("\n".join(lines)).split("\n") if lines else [] for lines in windows]
    ranges = [f"{start + bool(lines)},{len(lines)}" for lines in windows]
    return [
        f"--- {_NO_FILE if before is None else file}",
        f"+++ {_NO_FILE if after is None else file}",
        f"@@ -{ranges[0]} +{ranges[1]} @@",
        *_changed(*shown),
    ]


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _common(old: list[str], new: list[str]) -> int:
    """Return how many lines at the beginning are the same."""
    for index, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return index
    return min(len(old), len(new))


def _changed(old: list[str], new: list[str]) -> Iterator[str]:
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (" " + _cut(line, 0) for line in old[a:b])
            continue
        at = 0
        if (b - a, d - c) == (1, 1):
            at = next((i for i, (x, y) in enumerate(zip(old[a], new[c], strict=False)) if x != y), 0)
        yield from ("-" + _cut(line, at) for line in old[a:b])
        yield from ("+" + _cut(line, at) for line in new[c:d])


def _cut(line: str, at: int) -> str:
    if len(line) <= _WIDEST:
        return line
    start = max(0, at - _BEFORE)
    end = start + _WIDEST
    return ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
