"""A child process that is spoken to in lines of JSON, with a file for what it says on stderr."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import MAX_QUOTED, LineProgram


class ChildFailed(Exception):
    """The child ended, said nothing in time, or said something that is no JSON."""


class Child(LineProgram):
    """One process and its lines."""

    timeout = 20.0

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> None:
        self._log = log
        with log.open("ab") as stderr:
            super().__init__(command, env, stderr=stderr)

    def send(self, said: Any) -> None:
        """Say one line. Raises ChildFailed."""
        with self._telling("took nothing more"):
            super().send(said)

    def receive(self) -> Any:
        """The next line. Raises ChildFailed."""
        with self._telling("gave no answer"):
            return super().receive()

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, ValueError) as trouble:
            end = self._log.read_bytes()[-MAX_QUOTED:].decode(errors="replace").strip()
            words = f"; its last words: {end}" if end else ""
            raise ChildFailed(f"the program {what} ({trouble}){words}") from trouble

    def close(self) -> None:
        """Let it end, and end it if it does not."""
        with suppress(subprocess.TimeoutExpired):
            super().close()
