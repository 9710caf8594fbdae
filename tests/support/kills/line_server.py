"""Programs beside the tests that are spoken to in lines of JSON; nothing is waited for without an end."""

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

SHOWN = 400  # characters of what a program said wrong
_ROOT = Path(__file__).parents[3]


class LineProgram:
    """A client of a program. What is said is what JSON can hold."""

    patience = 300.0
    """Seconds that it may take to hear something, to answer, and to end; then it is killed."""

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
        self._heard = b""
        os.set_blocking(self._in.fileno(), False)

    def send(self, said: Any) -> None:
        """Say one line. Raises TimeoutError and BrokenPipeError."""
        left, deadline = json.dumps(said).encode() + b"\n", time.monotonic() + self.patience
        while left:
            self._wait(deadline, writable=True)
            left = left[os.write(self._in.fileno(), left) :]

    def receive(self) -> Any:
        """Its next line. Raises TimeoutError, EOFError where it has ended, and ValueError for no JSON."""
        deadline = time.monotonic() + self.patience
        while b"\n" not in self._heard:
            self._wait(deadline, writable=False)
            read = os.read(self._out.fileno(), 1 << 20)
            if not read:
                raise EOFError("it ended")
            self._heard += read
        line, _, self._heard = self._heard.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError:
            raise ValueError(f"no JSON: {line[:SHOWN]!r}") from None

    def _wait(self, deadline: float, *, writable: bool) -> None:
        left = max(0.0, deadline - time.monotonic())
        ready = select.select([] if writable else [self._out], [self._in] if writable else [], [], left)
        if not any(ready):
            raise TimeoutError(f"nothing within {self.patience:.0f} s")

    def close(self) -> None:
        """End it: it stops once it is told that nothing more comes."""
        with suppress(OSError):
            self._in.close()
        try:
            self._program.wait(self.patience)
        finally:
            self._program.kill()
            self._program.wait()
            self._out.close()


class LineServer(LineProgram):
    """`python -m module`, which answers each line with one; it runs with what is added to its environment."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self._module = module
        super().__init__([sys.executable, "-m", module], {**os.environ, **(environment or {})}, _ROOT)

    def ask(self, order: Any) -> Any:
        """Its answer to an order. Raises TimeoutError, and EOFError where the program has ended."""
        try:
            self.send(order)
            return self.receive()
        except (TimeoutError, BrokenPipeError, EOFError) as trouble:
            self._program.kill()
            raise type(trouble)(f"{self._module} gave no answer to {order!r}: {trouble}") from trouble

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
