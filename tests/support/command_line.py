"""Run memtui's command line, in this process or as a program of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memtui import cli

ROOT = Path(__file__).parents[2]
NOW = 1_790_000_000.0
FOUNDER, CLAUDE, MCP = "founder-os:larkfield", "claude-code:order-service", "mcp-memory:assistant"


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which has to be JSON and nothing else."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The refusal that was printed as JSON."""
        error: dict[str, Any] = self.json["error"]
        assert {"code", "message", "hint"} <= set(error)
        assert all(isinstance(error[name], str) for name in ("code", "message", "hint"))
        return error


class Cli:
    """memtui in this process; `stdin` is the content of its standard input, None if that is closed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, stdin: bytes | None = b"") -> CommandResult:
        stream = io.TextIOWrapper(io.BytesIO(stdin), "utf-8") if stdin is not None else None
        self._monkeypatch.setattr(sys, "stdin", stream)
        self._capsys.readouterr()
        code = cli.run(words)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return CommandResult(code, out, err)

    def json(self, *words: str, stdin: bytes = b"") -> Any:
        """Run a command with --json, which has to succeed, and return what it prints."""
        result = self("--json", *words, stdin=stdin)
        assert result.code == 0, result.out + result.err
        return result.json

    def uid(self, query: str) -> str:
        """Return the uid of the one memory that matches."""
        (found,) = self.json("list", query)
        return str(found["uid"])

    def memory(self, uid: str) -> dict[str, Any]:
        """Return a memory as `show --json` prints it."""
        memory: dict[str, Any] = self.json("show", uid)
        return memory


def run_program(*words: str | bytes, stdin: bytes = b"", **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run memtui as a program."""
    return subprocess.run(
        [sys.executable, "-m", "memtui", *words], input=stdin, capture_output=True, timeout=120, **more
    )
