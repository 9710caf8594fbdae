"""Edits of files as hunks that know the bytes around them, and finding a hunk's place again.

Nothing here reads or writes a disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CONTEXT = 160  # bytes kept on each side of a hunk to find its place again

# How much of the context before and behind a hunk must match to find its place: both sides, else one.
# With one side only, the bytes behind are tried first: a list emptied from the top is filled from the top.
_CONTEXTS = ((CONTEXT, CONTEXT), (48, 48), (16, 16), (0, CONTEXT), (CONTEXT, 0), (0, 48), (48, 0))
_SHORTEST = 8  # bytes that must match at least


@dataclass(frozen=True, slots=True)
class Hunk:
    """At offset `start`, `old` is replaced by `new`; offsets count after the hunks before it.

    A `best_effort` hunk only accompanies a change (a modification time): where it was changed again since,
    an undo leaves it alone. `head` and `tail` are the bytes around it.
    """

    start: int
    old: bytes
    new: bytes
    head: bytes = b""
    tail: bytes = b""
    best_effort: bool = False

    def inverted(self) -> Hunk:
        """Return the hunk that undoes this one."""
        return Hunk(self.start, self.new, self.old, self.head, self.tail, self.best_effort)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """The change of one file. `before` and `after` are digests of its bytes.

    `before` is None if the file is created, `after` if it is removed; then `content` is its content and
    `mode` its permission bits. A file that another one was renamed to has the hunks in which it differs
    from that one.
    """

    name: str
    before: str | None
    after: str | None
    hunks: tuple[Hunk, ...] = ()
    content: bytes = b""
    mode: int = 0o600
    moved_to: str = ""  # for a removed file: the new name, if it was renamed
    identity: str = ""  # what the format calls the file whatever its name is; "" if there is no such thing
    folder_count: int = 0  # how many folders are created or removed with the file


def is_applied(data: bytes | None, edits: Sequence[FileEdit]) -> bool | None:
    """Return whether a file that others changed contains these edits, made all at once; None if unknown."""
    first, last = edits[0].before, edits[-1].after
    if data is None or first is None or last is None:
        if (first is None) == (last is None):
            return None
        return (data is None) == (last is None)
    for edit in edits:
        for hunk in edit.hunks:
            if not hunk.best_effort and edit.before is not None and edit.after is not None:
                applied = _is_hunk_applied(data, hunk)
                if applied is not None:
                    return applied
    return None


def _is_hunk_applied(data: bytes, hunk: Hunk) -> bool | None:
    sides = hunk, hunk.inverted()
    for before, after in _CONTEXTS:
        # With context on one side only, the absence of bytes proves nothing.
        starts = [
            _find_with(data, side, before, after) if side.new or (before and after) else None
            for side in sides
        ]
        for side, other, start, other_start in zip(sides, sides[::-1], starts, starts[::-1], strict=True):
            if start is None or other_start is not None:
                continue
            # The bytes behind may begin as the other side does: then the place proves nothing.
            if side.new.startswith(other.new) or not data.startswith(other.new, start):
                return side is hunk
    return None


def find_new(data: bytes, hunk: Hunk) -> int | None:
    """Return the offset of the hunk's new bytes, found by their context; None if not certain."""
    for before, after in _CONTEXTS:
        start = _find_with(data, hunk, before, after)
        if start is not None:
            return start
    return None


def _find_with(data: bytes, hunk: Hunk, before: int, after: int) -> int | None:
    """Likewise with so many bytes of context before and behind."""
    head = hunk.head[-before:] if before else b""
    tail = hunk.tail[:after]
    needle = head + hunk.new + tail
    if len(needle) < _SHORTEST:
        return None
    # Where there was nothing before or behind, the file began or ended there, and must still.
    if before and not hunk.head:
        whole = len(needle) if after and not hunk.tail else len(data)
        first = 0 if data.startswith(needle) and whole == len(data) else -1
    elif after and not hunk.tail:
        first = len(data) - len(needle) if data.endswith(needle) else -1
    else:
        first = data.find(needle)
        if first >= 0 and data.find(needle, first + 1) >= 0:
            first = -1
    return first + len(head) if first >= 0 else None
