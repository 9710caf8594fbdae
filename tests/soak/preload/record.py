"""The record of calls that changed files, as faults.c writes it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CREATE, WRITE, TRUNCATE, RENAME, EXCHANGE, LINK, UNLINK, RMDIR, MKDIR, CHMOD, SYNC, NOTE = range(1, 13)
NAMES = "create write truncate rename exchange link unlink rmdir mkdir chmod sync note".split()
_HEAD = struct.Struct("=IIQqIIII")


@dataclass(frozen=True, slots=True)
class Call:
    """A successful call. `node` is the inode number if the call was given a descriptor, `path` and `target`
    are absolute paths; `at` is the offset of a write, or the new length."""

    call: int
    node: int = 0
    at: int = 0
    mode: int = 0
    path: str = ""
    target: str = ""
    data: bytes = b""

    def __str__(self) -> str:
        return f"{NAMES[self.call - 1]} {self.path.rpartition('/')[2]}".strip()


def read(log: Path) -> list[Call]:
    """Return all calls and notes in order."""
    return list(_parse(log.read_bytes()))


def _parse(raw: bytes) -> Iterator[Call]:
    offset = 0
    while offset < len(raw):
        call, mode, node, at, *lengths, _ = _HEAD.unpack_from(raw, offset)
        offset += _HEAD.size
        parts = []
        for length in lengths:
            parts.append(raw[offset : offset + length])
            offset += length
        yield Call(call, node, at, mode, parts[0].decode(), parts[1].decode(), parts[2])
