"""What another process keeps from being wiped after a redaction is wiped by the next one, or the next start
(S-50, S-62)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from memtui.workspace.db import database
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, MCP, DemoWorkspace, refusal
from tests.workspace.secrets.test_redact import SECRET, add, files_with

START = "is now gone from the unused space"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)


@contextmanager
def read(path: Path) -> Iterator[None]:
    """Hold a read transaction of another connection open on a database."""
    connection = apsw.Connection(str(path))
    connection.execute("BEGIN")
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    try:
        yield
    finally:
        connection.close()


def holding(demo: DemoWorkspace, workspace: Workspace) -> set[Path]:
    """Return the files that have the secret, apart from backups."""
    return files_with(demo.folder, SECRET) - {Path(each.path) for each in workspace.backups()}


def test_a_second_redaction_wipes_what_a_reader_kept_the_first_from(
    demo_workspace: DemoWorkspace,
) -> None:
    with demo_workspace.opened() as workspace:
        id = add(workspace, MCP)
        with read(demo_workspace.path):
            first = workspace.redact([id])
            assert any("reading the workspace" in note and "next start" in note for note in first.notes)
            assert holding(demo_workspace, workspace)
            again = refusal(lambda: workspace.redact([id]))
            assert again.code == "half"
            assert "reading the workspace" in again.message
        done = workspace.redact([id])
        assert (done.count, done.notes) == (0, ())
        assert "finished" in done.summary
        assert not holding(demo_workspace, workspace)
        assert refusal(lambda: workspace.redact([id])).code == "nothing"


def test_the_next_start_wipes_what_a_reader_kept_a_redaction_from(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace, read(demo_workspace.path):
        id = add(workspace, MCP)
        workspace.redact([id])
        size = Path(f"{demo_workspace.path}-wal").stat().st_size
        for _ in range(2):  # starts meanwhile say nothing, and write no second copy of the file
            with demo_workspace.opened() as other:
                assert not other.reconciled
        assert Path(f"{demo_workspace.path}-wal").stat().st_size == size
    with demo_workspace.opened() as workspace:
        assert any(START in sentence for sentence in workspace.reconciled)
        assert not holding(demo_workspace, workspace)
    with demo_workspace.opened() as workspace:
        assert not workspace.reconciled


def test_a_store_that_is_read_meanwhile_is_written_back_at_the_next_start(
    demo_workspace: DemoWorkspace,
) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    with demo_workspace.opened() as workspace:
        id = add(workspace, FOUNDER)
        with read(store):
            redacted = workspace.redact([id])
            assert any(f"reading {FOUNDER}" in note for note in redacted.notes)
            assert any("memory.db still has the value" in note for note in redacted.notes)
            assert store in holding(demo_workspace, workspace)
    with demo_workspace.opened() as workspace:
        assert any(START in sentence for sentence in workspace.reconciled)
        assert not holding(demo_workspace, workspace)
