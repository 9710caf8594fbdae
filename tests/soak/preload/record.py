"""The record of the calls that changed files, as faults.c writes it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CREATE, WRITE, TRUNCATE, RENAME, EXCHANGE, LINK, UNLINK, RMDIR, MKDIR, CHMOD, SYNC, NOTE = range(1, 13)
WORDS = "create write truncate rename exchange link unlink rmdir mkdir chmod sync note".split()
_HEAD = struct.Struct("=IIQqIIII")


@dataclass(frozen=True, slots=True)
class Call:
    """One call that went well. `node` is the file's inode number where the call named a descriptor,
    `one` and `two` are whole paths; `at` is the offset of a write or the new length."""

    call: int
    node: int = 0
    at: int = 0
    mode: int = 0
    one: str = ""
    two: str = ""
    data: bytes = b""

    def __str__(self) -> str:
        return f"{WORDS[self.call - 1]} {self.one.rpartition('/')[2]}".strip()


def read(log: Path) -> list[Call]:
    """All calls in their order, and the notes between them."""
    return list(_parsed(log.read_bytes()))


def _parsed(raw: bytes) -> Iterator[Call]:
    place = 0
    while place < len(raw):
        call, mode, node, at, one, two, data, _ = _HEAD.unpack_from(raw, place)
        place += _HEAD.size
        parts = []
        for length in (one, two, data):
            parts.append(raw[place : place + length])
            place += length
        yield Call(call, node, at, mode, parts[0].decode(), parts[1].decode(), parts[2])
