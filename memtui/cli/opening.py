"""Opening the workspace for a command, and the screen (S-1, S-2)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli.output import Output

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


@contextmanager
def workspace(args: Any, output: Output) -> Iterator[Workspace]:
    """The workspace that the command line names; what an interrupted run left is settled and told."""
    from memtui.paths import workspace_path
    from memtui.workspace.workspace import Workspace

    opened = Workspace.open(workspace_path(args.workspace), read_only=args.read_only)
    try:
        for sentence in opened.reconciled:
            output.note(sentence)
        yield opened
    finally:
        opened.close()


@contextmanager
def fresh(args: Any, output: Output) -> Iterator[Workspace]:
    """The same, with what agents changed taken in; a store that cannot be read is told, no more."""
    with workspace(args, output) as opened:
        for store, why in opened.pull().errors.items():
            output.note(f"{store} is shown as last read: {why}")
        yield opened


def open_tui(args: Any, output: Output) -> int:
    """`memtui` and `memtui PATH…`: all paths are looked at before any is attached."""
    from memtui.paths import workspace_path
    from memtui.tui.app import run

    path = workspace_path(args.workspace)
    if args.paths:
        from memtui.cli.stores import attach_all

        with workspace(args, output) as opened:
            attach_all(opened, args.paths)
    run(lambda: _open(path, args.read_only))
    return 0


def open_demo(args: Any, output: Output) -> int:
    """`memtui demo`: four stores in a folder that goes away again."""
    from memtui.demo import build
    from memtui.tui.app import run

    with tempfile.TemporaryDirectory(prefix="memtui-demo-") as folder:
        path = build(Path(folder))
        run(lambda: _open(path, args.read_only))
    return 0


def _open(path: Path, read_only: bool) -> Workspace:
    from memtui.workspace.workspace import Workspace

    return Workspace.open(path, read_only=read_only)
