"""What an agent said in a session, from the end of its transcript: a JSON object a line, as Claude Code
writes it (FORMATS 13). It is never read as a whole: it may have many megabytes."""

from __future__ import annotations

import os
import stat

from memtui.agents.hooks.payload import Payload

_MOST_BYTES = 512 << 10


def said(path: str) -> list[str]:
    """Return the texts of the agent in order; none if there is no such file, or it is no plain one."""
    texts = []
    for line in _end_of(path).splitlines():
        try:
            entry = Payload.read(line)
        except ValueError:
            continue  # it was cut, or is none
        if entry.text("type") == "assistant":
            parts = entry.part("message").parts("content")
            texts.append("\n".join(each.text("text") for each in parts if each.text("type") == "text"))
    return [each for each in texts if each.strip()]


def _end_of(path: str) -> bytes:
    if not os.path.isabs(path):
        return b""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a FIFO would wait for a writer
    except (OSError, ValueError):
        return b""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return b""
        start = max(0, status.st_size - _MOST_BYTES)
        whole = os.pread(handle, _MOST_BYTES, start)
    finally:
        os.close(handle)
    return whole.partition(b"\n")[2] if start else whole
