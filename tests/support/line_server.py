"""A Python program beside the tests that answers each line of JSON with one."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE = 300.0  # seconds for one answer; then the program is killed
_ROOT = Path(__file__).parents[2]


class LineServer:
    """A client of `python -m module`, which runs with what is added to its environment."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self._module = module
        self._program = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=_ROOT,
            env={**os.environ, **(environment or {})},
        )
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._in, self._out = self._program.stdin, self._program.stdout
        os.set_blocking(self._in.fileno(), False)

    def ask(self, order: Any) -> Any:
        """Its answer to an order; both are what JSON can hold. Raises TimeoutError, and EOFError where the
        program has ended."""
        deadline = time.monotonic() + PATIENCE
        try:
            left = json.dumps(order).encode() + b"\n"
            while left:
                self._wait(deadline, writable=True)
                left = left[os.write(self._in.fileno(), left) :]
            answer = b""
            while not answer.endswith(b"\n"):
                self._wait(deadline, writable=False)
                read = os.read(self._out.fileno(), 1 << 20)
                if not read:
                    raise EOFError(f"{self._module} ended, and gave no answer to {order!r}")
                answer += read
        except (TimeoutError, BrokenPipeError) as trouble:
            self._program.kill()
            raise type(trouble)(f"{self._module} gave no answer to {order!r}: {trouble}") from trouble
        return json.loads(answer)

    def _wait(self, deadline: float, *, writable: bool) -> None:
        left = max(0.0, deadline - time.monotonic())
        ready = select.select([] if writable else [self._out], [self._in] if writable else [], [], left)
        if not any(ready):
            raise TimeoutError(f"nothing within {PATIENCE:.0f} s")

    def close(self) -> None:
        """End it: it stops once it is told that nothing more comes."""
        with suppress(OSError):
            self._in.close()
        try:
            self._program.wait(PATIENCE)
        finally:
            self._program.kill()
            self._program.wait()
            self._out.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
