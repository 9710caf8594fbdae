"""A child process that is spoken to in lines of JSON; nothing is waited for without an end."""

from __future__ import annotations

import json
import queue
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


class Broken(Exception):
    """The child ended, said nothing in time, or said something that is no JSON."""


class Child:
    """One process, its lines, and a file for what it says on stderr."""

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> None:
        self._log = log
        with log.open("ab") as stderr:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=dict(env)
            )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def send(self, said: Any) -> None:
        """Say one line. Raises Broken."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(said).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as trouble:
            raise self._broken(f"takes no more ({trouble.strerror})") from trouble

    def receive(self, timeout: float = TIMEOUT) -> Any:
        """The next line. Raises Broken."""
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise self._broken(f"said nothing for {timeout:.0f} seconds") from None
        if line is None:
            raise self._broken("ended")
        try:
            return json.loads(line)
        except ValueError:
            raise self._broken(f"said what is no JSON: {line[:_SHOWN]!r}") from None

    def _broken(self, how: str) -> Broken:
        end = self._log.read_bytes()[-_SHOWN:].decode(errors="replace").strip()
        return Broken(f"the program {how}" + (f"; its last words: {end}" if end else ""))

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
