"""The workspace file: its mode, other files in its place, concurrent use (S-1, S-64, S-90)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.workspace.db import migrations
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    assert_in_sync,
    assert_word_index_intact,
    create_foreign_stores,
    detail_of,
    files_under,
    find_id,
    memory,
    refusal,
    rows,
)
from tests.support.older_workspace import create_workspace
from tests.support.sizes import rounds
from tests.support.stores import Agent, file_hashes


def test_the_file_is_private_to_its_owner(tmp_path: Path) -> None:
    os.umask(os.umask(0o022))
    path = tmp_path / "deep" / "folder" / "workspace.db"
    workspace = Workspace.open(path)
    workspace.add({"content": "Private."})
    assert path.parent.stat().st_mode & 0o777 == 0o700
    for file in files_under(path.parent):
        assert file.stat().st_mode & 0o077 == 0, file
    workspace.close()
    assert path.stat().st_mode & 0o777 == 0o600
    backups = path.with_name("workspace.db.backups")
    assert backups.stat().st_mode & 0o777 == 0o700
    assert files_under(path.parent) == {path, backups, *backups.iterdir()}


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Workspace.open(tmp_path / "workspace.db").close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_sqlite_is_recent_and_safely_configured(workspace: Workspace) -> None:
    """Older versions of SQLite lose committed writes in WAL mode with two connections."""
    assert apsw.sqlite_lib_version().split(".") >= ["3", "51", "3"]
    db = workspace._ctx.db
    settings = {name: db.one(f"PRAGMA {name}") for name in ("journal_mode", "synchronous", "trusted_schema")}
    assert settings == {"journal_mode": "wal", "synchronous": 2, "trusted_schema": 0}
    assert db.one("SELECT vec_version()")


def test_a_newer_workspace_is_opened_read_only(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        id, before = find_id(workspace, SAMPLE[NATIVE]), rows(workspace)
    _execute(demo_workspace.path, f"PRAGMA user_version = {migrations.latest() + 1}")
    with demo_workspace.opened() as workspace:
        assert workspace.read_only
        reason = "This workspace was created by a newer version of memtui; this version can only read it."
        assert set(detail_of(workspace, id).blocked.values()) == {reason}
        for action in (
            lambda: workspace.pin([id]),
            lambda: workspace.add({"content": "No."}),
            workspace.undo,
        ):
            refused = refusal(action)
            assert reason[1:] in refused.message
        assert rows(workspace) == before
        assert {info.read_only for info in workspace.stores()} == {reason}
        assert workspace.search(SAMPLE[NATIVE]).ids
    connection = apsw.Connection(str(demo_workspace.path), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.pragma("user_version") == migrations.latest() + 1
    connection.close()


@pytest.mark.parametrize("version", [4, 8, 11])
def test_an_older_workspace_opened_read_only_is_migrated_in_a_copy(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private, path = tmp_path / "private", tmp_path / "w" / "workspace.db"
    private.mkdir()
    path.parent.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    create_workspace(path, version)
    before, files = file_hashes(path), files_under(path.parent)
    workspace = Workspace.open(path, read_only=True)
    ids = workspace.search("zebra").ids
    assert len(workspace.memories(ids)) == len(workspace.rows(ids)) == 39
    assert (workspace.pairs(), workspace.queue_counts().open, workspace.agent_activity().items) == ([], 0, [])
    assert workspace.journal() == []
    assert workspace.outlook().count == 40
    assert detail_of(workspace, ids[0]).forecast is not None
    assert refusal(lambda: workspace.pin(ids[:1])).code == "read-only"
    (copy,) = (each for each in files_under(private) if each.is_file())
    assert copy.stat().st_mode & 0o077 == 0
    workspace.close()
    assert files_under(private) == set()
    assert file_hashes(path) == before
    assert files_under(path.parent) == files


def test_an_older_workspace_that_cannot_be_copied_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_workspace(tmp_path / "w.db", 8)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    refused = refusal(lambda: Workspace.open(tmp_path / "w.db", read_only=True))
    assert refused.code == "older"
    assert "older version of memtui" in refused.message
    assert refused.hint == "Open it once with write access."


def _execute(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_another_database_is_refused_and_unchanged(tmp_path: Path, read_only: bool) -> None:
    store = create_foreign_stores(tmp_path)[FOUNDER]
    before, files = file_hashes(store), files_under(store.parent)
    refused = refusal(lambda: Workspace.open(store, read_only=read_only))
    assert refused.code == "not-a-workspace"
    assert file_hashes(store) == before
    assert files_under(store.parent) == files


def test_another_database_keeps_its_wal(tmp_path: Path) -> None:
    """Not even a checkpoint is run: what its owner wrote to the WAL stays there."""
    store = create_foreign_stores(tmp_path)[FOUNDER]
    agent = Agent(store)
    agent.execute("UPDATE memories SET times_used = 99")
    agent.kill()
    before = file_hashes(store)
    assert any(name.endswith("-wal") for name in before)
    assert refusal(lambda: Workspace.open(store)).code == "not-a-workspace"
    assert file_hashes(store) == before


@pytest.mark.parametrize("size", [1, 50, 100, 4096, 20_000])
def test_a_truncated_workspace_is_refused_and_unchanged(demo_workspace: DemoWorkspace, size: int) -> None:
    with demo_workspace.opened() as workspace:
        workspace.add({"content": "One more."})
    data = demo_workspace.path.read_bytes()
    demo_workspace.path.write_bytes(data[:size])
    refused = refusal(demo_workspace.open)
    assert refused.code in ("damaged", "not-a-workspace")
    assert str(demo_workspace.path) in refused.message
    assert demo_workspace.path.read_bytes() == data[:size]
    demo_workspace.path.write_bytes(data)
    with demo_workspace.opened() as workspace:
        assert_in_sync(workspace)


@pytest.mark.parametrize("junk", [b"hello, this is a text file of some length\n" * 40, b"\0" * 5000, b"x"])
@pytest.mark.parametrize("read_only", [False, True])
def test_another_file_is_refused_and_unchanged(tmp_path: Path, junk: bytes, read_only: bool) -> None:
    path = tmp_path / "workspace.db"
    path.write_bytes(junk)
    refused = refusal(lambda: Workspace.open(path, read_only=read_only))
    assert refused.code in ("damaged", "not-a-workspace")
    assert path.read_bytes() == junk
    assert files_under(tmp_path) == {path}


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(lambda: Workspace.open(tmp_path)).code == "not-a-workspace"
    assert files_under(tmp_path) == set()


def test_an_empty_file_becomes_a_workspace(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    path.touch()
    assert refusal(lambda: Workspace.open(path, read_only=True)).code == "missing"
    workspace = Workspace.open(path)
    workspace.add({"content": "First."})
    assert workspace.counts().all == 1
    workspace.close()


def test_a_read_only_workspace_is_not_created(tmp_path: Path) -> None:
    assert refusal(lambda: Workspace.open(tmp_path / "none" / "w.db", read_only=True)).code == "missing"
    assert files_under(tmp_path) == set()


def test_a_path_that_cannot_be_created_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused = refusal(lambda: Workspace.open(tmp_path / "file" / "workspace.db"))
    assert refused.code == "io"
    assert "--workspace" in refused.hint


# -- concurrent use


def test_a_write_waits_for_a_locked_workspace(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    with Agent(demo_workspace.path) as other:
        other.execute("BEGIN IMMEDIATE")
        assert workspace.search(SAMPLE[NATIVE]).ids  # reads go on
        release = threading.Timer(0.7, lambda: other.execute("COMMIT"))
        release.start()
        workspace.pin([id])
        release.join()
    assert memory(workspace, id).pinned


def test_a_workspace_that_stays_locked_is_busy(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, before = find_id(workspace, SAMPLE[NATIVE]), rows(workspace)
    workspace._ctx.db.connection().set_busy_timeout(50)  # instead of five seconds
    with Agent(demo_workspace.path) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = refusal(lambda: workspace.pin([id]))
        assert refused.code == "busy"
        assert "locked by another program" in refused.message
        other.execute("ROLLBACK")
    assert rows(workspace) == before
    workspace.pin([id])


_OPEN_PROGRAM = """
import sys
from pathlib import Path
from memtui.workspace.workspace import Workspace
import memtui.formats.mcp_memory
sys.stdin.readline()
for path in sys.argv[1:]:
    workspace = Workspace.open(Path(path))
    workspace.add({"content": "Hello."})
    workspace.close()
"""


def _run_together(program: str, count: int, *args: Any) -> list[str]:
    """Run `count` processes of a program that start at the same moment, and return their outputs."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, *map(str, (*args,))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    outputs = [child.communicate() for child in children]
    for child, (_, error) in zip(children, outputs, strict=True):
        assert child.returncode == 0, error
    return [out for out, _ in outputs]


def test_a_new_workspace_is_opened_by_several_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"new-{number}" / "workspace.db" for number in range(rounds(5, 12))]
    count = rounds(2, 3)
    _run_together(_OPEN_PROGRAM, count, *paths)
    for path in paths:
        workspace = Workspace.open(path)
        assert workspace.counts().all == count
        assert [info.name for info in workspace.stores()] == [NATIVE]
        workspace.close()


_WRITE_PROGRAM = """
import json, os, sys
from pathlib import Path
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
import memtui.formats.mcp_memory
workspace = Workspace.open(Path(sys.argv[1]))
store, pid = sys.argv[2], str(os.getpid())
sys.stdin.readline()
done, retries = [], 0
for number in range(int(sys.argv[3])):
    text = f"Zebra {pid} number {number}"
    if number % 3 == 0:
        action = lambda: done.append(workspace.add({"content": text}).ids[0])
    elif number % 3 == 1:
        fields = {"content": text, "subject": f"Zebra {pid}"}
        action = lambda: done.append(workspace.add(fields, store).ids[0])
    else:
        action = lambda: workspace.edit([done[-1]], {"content": text})
    while True:
        try:
            action()
            break
        except Refused as refused:
            assert refused.code in ("changed", "busy"), refused.message
            retries += 1
            assert retries < 500
            workspace.pull()
print(json.dumps([pid, retries]))
workspace.close()
"""


def test_concurrent_writers_lose_nothing(demo_workspace: DemoWorkspace) -> None:
    """Each makes many changes, in the own store and in one foreign file; none stays locked out."""
    times = rounds(10, 30)
    results = [json.loads(out) for out in _run_together(_WRITE_PROGRAM, 2, demo_workspace.path, MCP, times)]
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()
        assert_in_sync(workspace)
        for pid, _ in results:
            texts = {memory(workspace, id).content for id in workspace.search(f'"Zebra {pid}"').ids}
            expected = {
                f"Zebra {pid} number {number}"
                for number in range(times)
                if number % 3 == 0 or number % 3 == 2
            }
            assert texts == expected
        assert {event.state for event in workspace.journal()} <= {"done", "refused"}
        assert {event.actor for event in workspace.journal()} <= {"person", "agent:seed"}
        assert workspace.pull().total == 0
        assert_word_index_intact(workspace)


def test_threads_write_one_after_another(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    ids = [find_id(workspace, SAMPLE[store]) for store in STORES]
    errors: list[BaseException] = []

    def work(id: int) -> None:
        try:
            for _ in range(4):
                workspace.pin([id])
                workspace.search("")
                workspace.unpin([id])
            workspace.close_thread()
        except (Refused, apsw.Error) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(id,)) for id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert not workspace.search("is:pinned").ids
    assert_in_sync(workspace)
