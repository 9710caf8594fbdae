"""Matching a regular expression in a process that can be ended: one like (a+)+$ may run for years (S-54)."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memtui.memory.replacement import Matcher, Replacement, Span, text_matcher
from memtui.memory.wording_replacement import matches_nothing
from memtui.workspace.changes.replacing import pattern_worker, wording_replace

SECONDS = 0.2  # of processor time for each memory
_PATIENCE = 5.0  # seconds for an answer, on a machine that is busy with other things
MOST_TIMEOUTS = 25  # memories for which the time may run out before the pattern is refused
MOST_SECONDS = 120.0  # for all memories together
_READ = 1 << 16  # bytes


@contextmanager
def matcher(replacement: Replacement) -> Iterator[Matcher]:
    """Yield what finds the text or pattern of a replacement; a process is started for patterns only.

    Raise Refused if a pattern matches empty text, or takes too long even there.
    """
    if not replacement.regex:
        yield text_matcher(replacement)
        return
    process = PatternProcess(replacement)
    try:
        matches = process.match([""])
        if matches is None:
            raise wording_replace.pattern_too_slow()
        if matches[0]:
            raise matches_nothing()
        yield process.match
    finally:
        process.end()


class PatternProcess:
    """The process that matches a pattern; started on first use, and again after a memory took too long."""

    def __init__(self, replacement: Replacement) -> None:
        self._request = {
            "pattern": replacement.find,
            "flags": replacement.flags,
            "replacement": replacement.replacement,
            "seconds": SECONDS,
        }
        self._child: subprocess.Popen[bytes] | None = None
        self._timeouts = 0
        self._spent = 0.0

    def match(self, texts: Sequence[str]) -> list[list[Span]] | None:
        """Return the matches in each of a memory's texts; None if that took too long. Raise Refused once it
        took too long too often."""
        started = time.monotonic()
        answer = self._ask(texts)
        self._spent += time.monotonic() - started
        self._timeouts += answer is None
        if self._timeouts > MOST_TIMEOUTS or self._spent > MOST_SECONDS:
            raise wording_replace.pattern_too_slow()
        if answer is None:
            self.end()
            return None
        return [[(start, end, new) for start, end, new in spans] for spans in json.loads(answer)]

    def end(self) -> None:
        """End the process, if there is one."""
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()

    def _ask(self, texts: Sequence[str]) -> bytes | None:
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps(texts).encode() + b"\n")
            child.stdin.flush()
        except BrokenPipeError:
            return None
        return _read_line(child.stdout.fileno())

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process, isolated from the working folder and from the packages of its user."""
        program = Path(pattern_worker.__file__)
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._child = child
        assert child.stdin is not None
        child.stdin.write(json.dumps(self._request).encode() + b"\n")
        return child


def _read_line(handle: int) -> bytes | None:
    """Return the next line; None if the process ends instead, or nothing comes for too long."""
    line = b""
    with selectors.DefaultSelector() as selector:
        selector.register(handle, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            if not selector.select(_PATIENCE):
                return None
            data = os.read(handle, _READ)
            if not data:
                return None
            line += data
    return line
