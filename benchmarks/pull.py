"""Pulling one changed record among many, compared with the first attach of the same store."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from benchmarks.attach import claude_code, founder_os, mcp
from benchmarks.measure import Result, timed
from memtui.workspace.workspace import Workspace

ROUNDS = 3
PAUSE = 0.1  # seconds; a file that was just written is read again


def measure(folder: Path, count: int) -> list[Result]:
    """Measure each kind of store, by elapsed time; the best of three pulls."""
    out = []
    for name, make, change in (
        ("Founder OS rows", founder_os, _row),
        ("MCP memory observations", mcp, _line),
        ("Claude Code files", claude_code, _file),
    ):
        path, _ = make(folder / "pull", count)
        workspace = Workspace.open(folder / f"pull-{make.__name__}.db")
        attach = timed(lambda workspace=workspace, path=path: workspace.attach(path))
        pulls = [_pull(workspace, path, change, n) for n in range(ROUNDS)]
        nothing = min(timed(workspace.pull) for _ in range(ROUNDS))
        workspace.close()
        what = f"among {count:,} {name}, vs attaching them"
        out.append(Result(f"pull of 1 changed {what}", min(pulls), attach, 0.05))
        out.append(Result(f"pull of nothing {what}", nothing, attach))
    return out


def _pull(workspace: Workspace, path: Path, change: Callable[[Path, int], None], number: int) -> float:
    change(path, number)
    time.sleep(PAUSE)
    seconds = timed(workspace.pull)
    if workspace.search(f"changedanew{number}").total != 1:
        raise SystemExit(f"{path} was changed, and the pull did not see it")
    return seconds


def _row(path: Path, number: int) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE memories SET content = ? WHERE key = 'key-77'", (f"Changedanew{number}.",))
    connection.close()


def _line(path: Path, number: int) -> None:
    lines = path.read_text("utf-8").split("\n")
    entity = json.loads(lines[50])
    entity["observations"][0] = f"Changedanew{number}."
    lines[50] = json.dumps(entity)
    path.write_text("\n".join(lines), "utf-8")


def _file(path: Path, number: int) -> None:
    file = path / "project_77.md"
    head = file.read_text("utf-8").partition("\n\n")[0]
    file.write_text(f"{head}\n\nChangedanew{number}.\n", "utf-8")
