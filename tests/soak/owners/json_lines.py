"""A child process that is spoken to in lines of JSON; nothing is waited for without an end."""

from __future__ import annotations

import json
import os
import queue
import select
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

TIMEOUT = 20.0  # seconds that an answer may take
_PATIENCE = 5.0  # seconds that a child has to end by itself
_SHOWN = 400  # characters of what a child said on stderr


class ChildFailed(Exception):
    """The child ended, said nothing in time, or said something that is no JSON."""


class Child:
    """One process, its lines, and a file for what it says on stderr."""

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> None:
        self._log = log
        with log.open("ab") as stderr:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=dict(env)
            )
        assert self._process.stdin is not None
        self._in = self._process.stdin.fileno()
        os.set_blocking(self._in, False)
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def send(self, said: Any, timeout: float = TIMEOUT) -> None:
        """Say one line. Raises ChildFailed."""
        left, deadline = json.dumps(said).encode() + b"\n", time.monotonic() + timeout
        try:
            while left:
                if not select.select([], [self._in], [], max(0.0, deadline - time.monotonic()))[1]:
                    raise self._failed(f"took nothing for {timeout:.0f} seconds")
                left = left[os.write(self._in, left) :]
        except OSError as trouble:
            raise self._failed(f"takes no more ({trouble.strerror})") from trouble

    def receive(self, timeout: float = TIMEOUT) -> Any:
        """The next line. Raises ChildFailed."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise self._failed(f"said nothing for {timeout:.0f} seconds") from None
        if line is None:
            raise self._failed("ended")
        try:
            return json.loads(line)
        except ValueError:
            raise self._failed(f"said what is no JSON: {line[:_SHOWN]!r}") from None

    def _failed(self, how: str) -> ChildFailed:
        end = self._log.read_bytes()[-_SHOWN:].decode(errors="replace").strip()
        return ChildFailed(f"the program {how}" + (f"; its last words: {end}" if end else ""))

    def close(self) -> None:
        """Let it end, and end it if it does not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # it is gone already
            self._process.stdin.close()
        deadline = time.monotonic() + _PATIENCE
        for stop in (None, self._process.terminate, self._process.kill):
            if stop is not None:
                stop()
            try:
                self._process.wait(max(0.1, deadline - time.monotonic()))
                break
            except subprocess.TimeoutExpired:
                continue
        self._process.wait()
        self._reader.join(_PATIENCE)
        self._process.stdout.close()
