"""Runs a command line in this process, and looks at how it ended and at what it printed."""

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

TIMEOUT = 60  # seconds after which a command or query is given up
CODES = (0, 1, 2)
INTERRUPTED = 130
_UNFORESEEN = refusal_of(ValueError("probe")).message.partition("ValueError")[0]


class TimedOut(BaseException):
    """What was asked did not come back. No handler of errors may catch it."""


def run(
    workspace: Path, words: Sequence[str], stdin: bytes = b""
) -> tuple[int | None, tuple[str, str], list[str]]:
    """The exit code, what was printed, and what is wrong with the way it ended."""
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), "utf-8"),
        "stdout": io.TextIOWrapper(out, "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", write_through=True),
    }
    code, troubles = None, []
    with mock.patch.multiple(sys, **streams), time_limit(TIMEOUT):
        try:
            code = cli.run(["--workspace", str(workspace), *words])
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            troubles.append(f"it raised {type(error).__name__}: {error}")
    if code == INTERRUPTED:
        raise KeyboardInterrupt  # it was meant for us
    return code, (out.getvalue().decode(), err.getvalue().decode()), troubles


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise Hangs in what takes longer."""

    def late(signal: int, frame: FrameType | None) -> None:
        raise TimedOut(f"it did not end within {seconds} s")

    previous = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def problems_of(line: CommandLine, code: int, said: tuple[str, str]) -> list[str]:
    """What is wrong with an exit code and with what was printed."""
    out, err = said
    troubles = []
    if code not in CODES:
        troubles.append(f"it ended with {code}")
    if "Traceback" in out + err or _UNFORESEEN in out + err:
        troubles.append(f"an exception that nobody foresaw: {(out + err)[-400:]!r}")
    if acting := hostile_texts.unsafe_characters(out + err):
        troubles.append(f"it printed {sorted(acting)!r} as such")
    if line.asks_for_json and not line.asks_for_help and line.command != "completion":
        try:
            json.loads(out)
        except ValueError as error:
            troubles.append(f"it printed no JSON ({error}): {out[:200]!r}")
        if not out.isascii():
            troubles.append("its JSON is not ASCII")
    return troubles
