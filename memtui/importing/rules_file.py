"""Reading a rules file: regular, small, and the own one, since it decides what happens to memories (S-63)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memtui.importing.text_file import decode
from memtui.memory.rules.file import wording
from memtui.memory.rules.file.reading import MOST_BYTES


def read_rules_text(path: Path) -> str:
    """Return the text of a file; raise Refused if it is no regular file, too large, another user's, not UTF-8
    or cannot be read."""
    return rules_text(str(path), read_rules_bytes(path, str(path)))


def read_rules_bytes(path: Path, name: str) -> bytes:
    """Return the bytes of a file, which messages call `name`; raise Refused if it is no regular file, too
    large, another user's, or cannot be read."""
    try:
        # A named pipe that nobody writes would wait for ever without O_NONBLOCK.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise wording.not_a_file(name)
            if status.st_uid != os.geteuid():
                raise wording.another_users(name)
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(MOST_BYTES + 1)
        finally:
            os.close(handle)
    except OSError as error:
        raise wording.unreadable(name, (error.strerror or str(error)).lower()) from error
    if len(data) > MOST_BYTES:
        raise wording.too_large(MOST_BYTES)
    return data


def rules_text(name: str, data: bytes) -> str:
    """Return bytes as text; raise Refused if there are too many, or they are not UTF-8."""
    if len(data) > MOST_BYTES:
        raise wording.too_large(MOST_BYTES)
    return decode(name, data)
