"""A child process that exchanges lines of JSON, with a log file for its stderr."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.support.kills.line_server import MAX_QUOTED, LineProgram


class ChildFailed(Exception):
    """The child ended, did not answer in time, or answered something that is no JSON."""


class Child(LineProgram):
    """One process."""

    timeout = 20.0

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> None:
        self._log = log
        with log.open("ab") as stderr:
            super().__init__(command, env, stderr=stderr)

    def send(self, message: object) -> None:
        """Send one line. Raise ChildFailed."""
        with self._translate_errors("took nothing more"):
            super().send(message)

    def receive(self) -> Any:
        """Return the next line. Raise ChildFailed."""
        with self._translate_errors("gave no answer"):
            return super().receive()

    @contextmanager
    def _translate_errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, ValueError) as error:
            stderr = self._log.read_bytes()[-MAX_QUOTED:].decode(errors="replace").strip()
            details = f"; its last words: {stderr}" if stderr else ""
            raise ChildFailed(f"the program {what} ({error}){details}") from error

    def close(self) -> None:
        """End the process, by force if it does not end by itself."""
        with suppress(subprocess.TimeoutExpired):
            super().close()
