"""Child programs that talk to the tests in lines of JSON; every wait has a timeout."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

MAX_QUOTED = 400  # characters of a line that is no JSON
_ROOT = Path(__file__).parents[3]


class LineProgram:
    """A client of a program that exchanges lines of JSON."""

    timeout = 300.0
    """Seconds that the program may take to read a line, to answer and to end; then it is killed."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path | None = None,
        stderr: IO[bytes] | None = None,
    ) -> None:
        self._program = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=0,
            cwd=cwd,
            env=dict(env),
        )
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._in, self._out = self._program.stdin, self._program.stdout
        self._buffer = b""
        os.set_blocking(self._in.fileno(), False)

    def send(self, message: object) -> None:
        """Send one line. Raise TimeoutError or BrokenPipeError."""
        left, deadline = json.dumps(message).encode() + b"\n", time.monotonic() + self.timeout
        while left:
            self._wait(deadline, writable=True)
            left = left[os.write(self._in.fileno(), left) :]

    def receive(self) -> Any:  # JSON, as the program answers
        """Return the next line. Raise TimeoutError, EOFError if the program has ended, and ValueError if the
        line is no JSON."""
        deadline = time.monotonic() + self.timeout
        while b"\n" not in self._buffer:
            self._wait(deadline, writable=False)
            chunk = os.read(self._out.fileno(), 1 << 20)
            if not chunk:
                raise EOFError("it ended")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError:
            raise ValueError(f"no JSON: {line[:MAX_QUOTED]!r}") from None

    def _wait(self, deadline: float, *, writable: bool) -> None:
        left = max(0.0, deadline - time.monotonic())
        ready = select.select([] if writable else [self._out], [self._in] if writable else [], [], left)
        if not any(ready):
            raise TimeoutError(f"nothing within {self.timeout:.0f} s")

    def close(self) -> None:
        """End the program: it stops at the end of its input."""
        with suppress(OSError):
            self._in.close()
        try:
            self._program.wait(self.timeout)
        finally:
            self._program.kill()
            self._program.wait()
            self._out.close()


class LineServer(LineProgram):
    """`python -m module`, which answers each line with one line; `environment` is added to its own."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self._module = module
        super().__init__([sys.executable, "-m", module], {**os.environ, **(environment or {})}, _ROOT)

    def ask(self, request: object) -> Any:  # JSON, as the program answers
        """Return the answer to a request. Raise TimeoutError, BrokenPipeError or EOFError."""
        try:
            self.send(request)
            return self.receive()
        except (TimeoutError, BrokenPipeError, EOFError) as error:
            self._program.kill()
            raise type(error)(f"{self._module} gave no answer to {request!r}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
