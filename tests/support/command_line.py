"""Running memtui: in this process, or as a program of its own."""

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
class DecayRun:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed, as JSON; nothing else may stand there."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The refusal that was printed as JSON."""
        told: dict[str, Any] = self.json["error"]
        assert {"code", "message", "hint"} <= set(told)
        assert all(isinstance(told[name], str) for name in ("code", "message", "hint"))
        return told


class Cli:
    """memtui in this process; `put` is what its standard input holds."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, put: bytes = b"") -> DecayRun:
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(put), "utf-8"))
        self._capsys.readouterr()
        code = cli.run(words)
        out, err = self._capsys.readouterr()
        assert "Traceback" not in err
        return DecayRun(code, out, err)

    def json(self, *words: str, put: bytes = b"") -> Any:
        """What a command that succeeds prints with --json."""
        ran = self("--json", *words, put=put)
        assert ran.code == 0, ran.out + ran.err
        return ran.json

    def uid(self, query: str) -> str:
        """The uid of the one memory that matches."""
        (found,) = self.json("list", query)
        return str(found["uid"])

    def memory(self, uid: str) -> dict[str, Any]:
        """A memory as `show --json` tells it."""
        told: dict[str, Any] = self.json("show", uid)
        return told


def program(*words: str | bytes, put: bytes = b"", **more: Any) -> subprocess.CompletedProcess[bytes]:
    """memtui as a program."""
    return subprocess.run(
        [sys.executable, "-m", "memtui", *words], input=put, capture_output=True, timeout=120, **more
    )
