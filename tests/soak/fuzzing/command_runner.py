"""Runs a command line in this process, and checks its exit code and output."""

from __future__ import annotations

import io
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

from memtui import cli
from memtui.cli.runtime.errors import refusal_of
from tests.soak.fuzzing.command_grammar import CommandLine
from tests.support.hostile import texts as hostile_texts

TIMEOUT = 60  # seconds for a command or query
CODES = (0, 1, 2, 3)
INTERRUPTED = 130
_UNFORESEEN = refusal_of(ValueError("probe")).message.partition("ValueError")[0]


class TimedOut(BaseException):
    """A command or query did not return. A BaseException, so that no error handler catches it."""


def run(
    workspace: Path, words: Sequence[str], stdin: bytes = b""
) -> tuple[int | None, tuple[str, str], list[str]]:
    """Run a command line; return the exit code, stdout and stderr, and what is wrong with how it ended."""
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), "utf-8"),
        "stdout": io.TextIOWrapper(out, "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", write_through=True),
    }
    code, problems = None, []
    with mock.patch.multiple(sys, **streams), time_limit(TIMEOUT):
        try:
            code = cli.run(["--workspace", str(workspace), *words])
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            problems.append(f"it raised {type(error).__name__}: {error}")
    if code == INTERRUPTED:
        raise KeyboardInterrupt  # it was meant for this process
    return code, (out.getvalue().decode(), err.getvalue().decode()), problems


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimedOut in code that takes longer."""

    def on_alarm(signal: int, frame: FrameType | None) -> None:
        raise TimedOut(f"it did not end within {seconds} s")

    previous = signal.signal(signal.SIGALRM, on_alarm)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def problems_of(line: CommandLine, code: int, output: tuple[str, str]) -> list[str]:
    """Return what is wrong with an exit code and with the output."""
    out, err = output
    problems = []
    if code not in CODES:
        problems.append(f"it ended with {code}")
    if "Traceback" in out + err or _UNFORESEEN in out + err:
        problems.append(f"an exception that nobody foresaw: {(out + err)[-400:]!r}")
    # What an agent is given is printed as it is, where no terminal shows it.
    printed = err if line.command == "see" else out + err
    if unsafe := hostile_texts.unsafe_characters(printed):
        problems.append(f"it printed {sorted(unsafe)!r} as such")
    if line.asks_for_json and not line.asks_for_help and line.command != "completion":
        try:
            json.loads(out)
        except ValueError as error:
            problems.append(f"it printed no JSON ({error}): {out[:200]!r}")
        if not out.isascii():
            problems.append("its JSON is not ASCII")
    return problems
