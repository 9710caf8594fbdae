"""Kill processes while they embed; run as a program, this module forks one child for each request.

A child logs each text before it embeds it, slowly enough to be killed in between.
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

START_TIMEOUT = 120.0  # seconds until a child must have begun; a busy machine is no failure


class EmbeddingKillHarness(LineServer):
    """Client of the process that forks the children."""

    def __init__(self) -> None:
        super().__init__("tests.support.kills.embedding_kill_harness")

    def run(self, path: Path, log: Path, texts: int, seconds: float) -> bool:
        """Let a child embed the queue, and kill it `seconds` after it has begun on `texts` texts.

        Return whether it was killed before it ended. If it does not begin in time, or fails, the harness
        process ends too and EOFError is raised.
        """
        return bool(self.ask([str(path), str(log), texts, seconds]))


def _child(path: str, log: str) -> None:
    from memtui.workspace.workspace import Workspace
    from tests.support.fake_models import FakeModel

    log_file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def log_texts(texts: Sequence[str]) -> None:
        os.write(log_file, "".join(json.dumps(text) + "\n" for text in texts).encode())
        time.sleep(0.004)

    model = FakeModel(before=log_texts)
    workspace = Workspace.open(Path(path), opener=lambda: model)
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
        status = _wait(child, Path(log), texts)
        if status is None:
            time.sleep(seconds)
            os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, -signal.SIGKILL), code
        print(json.dumps(code == -signal.SIGKILL), flush=True)


def _wait(child: int, log: Path, texts: int) -> int | None:
    """Wait until the child has begun on `texts` texts; return its status if it ended before that."""
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline:
        if log.read_bytes().count(b"\n") >= texts:
            return None
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise TimeoutError(f"the child did not begin on {texts} texts within {START_TIMEOUT:.0f} s")


if __name__ == "__main__":
    _serve()
