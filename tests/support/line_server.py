"""A Python program beside the tests that answers each line of JSON with one."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

PATIENCE = 300.0  # seconds for one answer; then the program is killed


class LineServer:
    """The program from outside: `python -m module`, with what is added to its environment."""

    def __init__(self, module: str, environment: Mapping[str, str] | None = None) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )

    def ask(self, order: Any) -> Any:
        """Its answer to an order; both are what JSON can hold."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps(order) + "\n")
        self._program.stdin.flush()
        answered, _, _ = select.select([self._program.stdout], [], [], PATIENCE)
        if not answered:
            self._program.kill()
            raise TimeoutError(f"no answer within {PATIENCE:.0f} s to {order!r}")
        return json.loads(self._program.stdout.readline())

    def close(self) -> None:
        """End it: it stops once it is told that nothing more comes."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.close()
        self._program.wait(PATIENCE)
        self._program.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
