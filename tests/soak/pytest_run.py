"""Parts that run the tests at full size: a run of pytest, and its log while it runs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.soak.part import Report
from tests.soak.processes import GRACE_SECONDS
from tests.support.memory_disk import use_memory_file_system

ROOT = Path(__file__).parents[2]
MINUTES = 40  # after which a run is ended and counts as a loss


def run_tests(report: Report, *arguments: str, on_line: Callable[[dict[str, Any]], None]) -> None:
    """Run pytest at full size and call `on_line` with each line of the log (see `pytest_log`). A test that
    fails is a loss."""
    with _in_memory(), tempfile.TemporaryDirectory(prefix="memtui-soak-") as folder:
        log = Path(folder) / "log"
        log.touch()
        output = Path(folder) / "output"
        env = {**os.environ, "MEMTUI_FULL_SIZE": "1", "MEMTUI_SOAK_LOG": str(log)}
        # Programs that a shell starts in the background ignore SIGINT, and so would pytest.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with output.open("wb") as to:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "-p", "tests.soak.pytest_log", *arguments],
                cwd=ROOT,
                env=env,
                stdout=to,
                stderr=subprocess.STDOUT,
            )
        try:
            for line in _lines(process, log):
                if "failed" in line:
                    report.add_loss(f"{line['test']}\n{line['failed']}")
                on_line(line)
        finally:
            _end(process)
        if process.returncode not in (0, 1):
            report.add_loss(f"pytest ended with {process.returncode}:\n{output.read_text('utf-8')[-2000:]}")


@contextmanager
def _in_memory() -> Iterator[None]:
    """Keep the temporary folders of this process and of pytest in memory, and remove them afterwards: a
    pytest that is killed removes none."""
    folder = use_memory_file_system()
    try:
        yield
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Interrupt pytest as Ctrl-C does, so that it and its workers clean up, and kill it if that does not
    help."""
    if process.poll() is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(ProcessLookupError):  # this process does not lead a group
            os.killpg(os.getpid(), signal.SIGINT)
        try:
            process.wait(GRACE_SECONDS / 2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _lines(process: subprocess.Popen[bytes], log: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of the log as they are written, until the process has ended."""
    deadline = time.monotonic() + 60 * MINUTES
    with log.open(encoding="utf-8") as file:
        partial = ""
        while True:
            running = process.poll() is None
            while text := file.readline():
                partial += text
                if partial.endswith("\n"):
                    yield json.loads(partial)
                    partial = ""
            if not running:
                return
            if time.monotonic() > deadline:
                yield {"test": "pytest", "failed": f"still running after {MINUTES} minutes"}
                return
            time.sleep(0.2)
