"""Reading a file that somebody names: regular, whole, not too large, valid UTF-8 (UTF-16 with its mark)."""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

from memtui.importing import wording

MOST_BYTES = 1 << 29
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(path: Path) -> str:
    """Return the text of a file; raise Refused if it is no file, too large, not UTF-8, cannot be read, or was
    changed while it was read."""
    name = str(path)
    try:
        # A named pipe that nobody writes would wait for ever without O_NONBLOCK.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with os.fdopen(handle, "rb") as file:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode):
                raise wording.not_a_file(name)
            if before.st_size > MOST_BYTES:
                raise wording.too_big(name, MOST_BYTES)
            data = file.read(before.st_size + 1)
            after = os.fstat(handle)
    except OSError as error:
        raise wording.unreadable(name, (error.strerror or str(error)).lower()) from error
    if len(data) != before.st_size or (after.st_size, after.st_mtime_ns) != (
        before.st_size,
        before.st_mtime_ns,
    ):
        raise wording.changed(name)
    return decode(name, data)


def decode(name: str, data: bytes) -> str:
    """Return bytes as text; raise Refused with the line of the first that are not UTF-8."""
    try:
        return data.decode("utf-16" if data.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise wording.not_utf8(name, data.count(b"\n", 0, error.start) + 1) from error
