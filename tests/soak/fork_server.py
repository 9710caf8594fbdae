"""A process that has memtui imported and forks a child for each job, so that imports are paid once.

No connection is open where it forks. The child's lines (JSON) come back, with how it ended; a child
that takes too long is killed by its own alarm.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.kills.line_server import LineServer

TIMEOUT = 60  # for one job


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a child said, and how it ended."""

    lines: list[Any]
    killed: bool
    trouble: str  # the traceback of what it died of, or why it was killed; "" if it ended well

    def of(self, kind: str) -> list[Any]:
        """What it said under this name."""
        return [line[kind] for line in self.lines if kind in line]


class ForkServer(LineServer):
    """A client of the process that forks the children."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        super().__init__("tests.soak.fork_server", environment)

    def run(self, job: str, **arguments: Any) -> JobResult:
        """Have a child do a job of `tests.soak.jobs`."""
        lines, signalled, trouble = self.ask([job, arguments])
        return JobResult(lines, signalled == signal.SIGKILL, trouble)


def _fork(job: Callable[..., None], arguments: dict[str, Any]) -> tuple[list[Any], int, str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(TIMEOUT)

        def say(**line: Any) -> None:
            os.write(writer, json.dumps(line).encode() + b"\n")

        code = 1
        try:
            job(say, **arguments)
            code = 0
        except BaseException:
            say(trouble=traceback.format_exc())
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "r") as said:
        lines = [json.loads(line) for line in said]
    _, status = os.waitpid(child, 0)
    signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    trouble = "".join(line["trouble"] for line in lines if "trouble" in line)
    if signalled and signalled != signal.SIGKILL:
        trouble += f"ended by signal {signalled}"
    return lines, signalled, trouble


def _serve() -> None:
    from tests.soak import jobs

    for line in sys.stdin:
        job, arguments = json.loads(line)
        print(json.dumps(_fork(jobs.JOBS[job], arguments)), flush=True)


if __name__ == "__main__":
    _serve()
