"""Processes that embed and are killed on the way; run as a program, it forks one child a line of orders.

A child writes each text into a log before it embeds it, slowly enough to be killed in between.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.support.kills.line_server import LineServer

PATIENCE = 120.0  # seconds until a child must have begun; a busy machine is no failure


class EmbeddingKillHarness(LineServer):
    """A client of the process that forks the children."""

    def __init__(self) -> None:
        super().__init__("tests.support.kills.embedding_kill_harness")

    def run(self, path: Path, log: Path, texts: int, seconds: float) -> bool:
        """Have a child embed what waits, and kill it so long after it has begun on so many texts; whether
        it was killed, and had not ended before. A child that does not begin in time, or ends badly, ends the
        process too, and EOFError is raised."""
        return bool(self.ask([str(path), str(log), texts, seconds]))


def _child(path: str, log: str) -> None:
    from memtui.workspace.workspace import Workspace
    from tests.support.fake_models import FakeModel

    seen = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(texts: Sequence[str]) -> None:
        os.write(seen, "".join(json.dumps(text) + "\n" for text in texts).encode())
        time.sleep(0.004)

    mind = FakeModel(before=note)
    workspace = Workspace.open(Path(path), opener=lambda: mind)
    workspace.add({"content": f"A zebra is seen by {os.getpid()}."})
    workspace.embed()
    workspace.close()


def _serve() -> None:
    import numpy  # noqa: F401

    import tests.support.fake_models  # noqa: F401

    for line in sys.stdin:
        path, log, texts, seconds = json.loads(line)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _child(path, log)
                code = 0
            finally:
                os._exit(code)
        ended = _wait(child, Path(log), texts)
        if ended is None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)[1]
        code = os.waitstatus_to_exitcode(ended)
        assert code in (0, -signal.SIGKILL), code
        print(json.dumps(code == -signal.SIGKILL), flush=True)


def _wait(child: int, log: Path, texts: int) -> int | None:
    """Until the child has begun on so many texts; how it ended, if it did so before."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if log.read_bytes().count(b"\n") >= texts:
            return None
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise TimeoutError(f"the child did not begin on {texts} texts within {PATIENCE:.0f} s")


if __name__ == "__main__":
    _serve()
