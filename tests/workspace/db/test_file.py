"""The workspace's own file: private, never taken for something else, shared by several (S-1, S-64, S-90)."""

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
    agrees,
    detail_of,
    files_under,
    memory,
    refusal,
    rows,
    stores_in,
    the,
    words_agree,
)
from tests.support.sizes import rounds
from tests.support.stores import Agent, bytes_of
from tests.workspace.vectors.test_meaning import old


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
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


def test_a_folder_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Workspace.open(tmp_path / "workspace.db").close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_linked_with_a_safe_sqlite_and_careful_settings(workspace: Workspace) -> None:
    """Older ones lose acknowledged writes in WAL mode with two connections."""
    assert apsw.sqlite_lib_version().split(".") >= ["3", "51", "3"]
    db = workspace._ctx.db
    settings = {name: db.one(f"PRAGMA {name}") for name in ("journal_mode", "synchronous", "trusted_schema")}
    assert settings == {"journal_mode": "wal", "synchronous": 2, "trusted_schema": 0}
    assert db.one("SELECT vec_version()")


def test_a_workspace_of_a_newer_memtui_is_only_read(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        id, before = the(workspace, SAMPLE[NATIVE]), rows(workspace)
    _set(demo_workspace.path, f"PRAGMA user_version = {migrations.latest() + 1}")
    with demo_workspace.opened() as workspace:
        assert workspace.read_only
        reason = "A newer memtui made this workspace; this one only reads it."
        assert set(detail_of(workspace, id).blocked.values()) == {reason}
        for act in (lambda: workspace.pin([id]), lambda: workspace.add({"content": "No."}), workspace.undo):
            told = refusal(act)
            assert reason in told.message
        assert rows(workspace) == before
        assert {info.read_only for info in workspace.stores()} == {reason}
        assert workspace.search(SAMPLE[NATIVE]).ids
    connection = apsw.Connection(str(demo_workspace.path), flags=apsw.SQLITE_OPEN_READONLY)
    assert connection.pragma("user_version") == migrations.latest() + 1
    connection.close()


@pytest.mark.parametrize("version", [4, 8, 11])
def test_an_older_workspace_that_is_only_read_shows_everything_and_stays_as_it_is(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private, path = tmp_path / "private", tmp_path / "w" / "workspace.db"
    private.mkdir()
    path.parent.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    old(path, version)
    before, files = bytes_of(path), files_under(path.parent)
    workspace = Workspace.open(path, read_only=True)
    ids = workspace.search("zebra").ids
    assert len(workspace.memories(ids)) == len(workspace.rows(ids)) == 39
    assert (workspace.pairs(), workspace.review().open, workspace.since().items) == ([], 0, [])
    assert workspace.journal() == []
    assert workspace.outlook().count == 40
    assert detail_of(workspace, ids[0]).forecast is not None
    assert refusal(lambda: workspace.pin(ids[:1])).code == "read-only"
    (copy,) = (each for each in files_under(private) if each.is_file())
    assert copy.stat().st_mode & 0o077 == 0
    workspace.close()
    assert files_under(private) == set()
    assert bytes_of(path) == before
    assert files_under(path.parent) == files


def test_an_older_workspace_that_cannot_be_brought_up_to_date_to_be_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old(tmp_path / "w.db", 8)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    told = refusal(lambda: Workspace.open(tmp_path / "w.db", read_only=True))
    assert told.code == "older"
    assert "older memtui" in told.message
    assert told.hint == "Open it once where it may be written."


def _set(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_another_database_is_no_workspace_and_not_touched(tmp_path: Path, read_only: bool) -> None:
    store = stores_in(tmp_path)[FOUNDER]
    before, files = bytes_of(store), files_under(store.parent)
    told = refusal(lambda: Workspace.open(store, read_only=read_only))
    assert told.code == "not-a-workspace"
    assert bytes_of(store) == before
    assert files_under(store.parent) == files


def test_another_database_that_is_in_use_keeps_its_log(tmp_path: Path) -> None:
    """Not even a checkpoint: what its owner wrote to the log stays in the log."""
    store = stores_in(tmp_path)[FOUNDER]
    agent = Agent(store)
    agent.do("UPDATE memories SET times_used = 99")
    agent.kill()
    before = bytes_of(store)
    assert any(name.endswith("-wal") for name in before)
    assert refusal(lambda: Workspace.open(store)).code == "not-a-workspace"
    assert bytes_of(store) == before


@pytest.mark.parametrize("cut", [1, 50, 100, 4096, 20_000])
def test_a_cut_off_workspace_is_left_as_it_is(demo_workspace: DemoWorkspace, cut: int) -> None:
    with demo_workspace.opened() as workspace:
        workspace.add({"content": "One more."})
    whole = demo_workspace.path.read_bytes()
    demo_workspace.path.write_bytes(whole[:cut])
    told = refusal(demo_workspace.open)
    assert told.code in ("damaged", "not-a-workspace")
    assert str(demo_workspace.path) in told.message
    assert demo_workspace.path.read_bytes() == whole[:cut]
    demo_workspace.path.write_bytes(whole)
    with demo_workspace.opened() as workspace:
        agrees(workspace)


@pytest.mark.parametrize("junk", [b"hello, this is a text file of some length\n" * 40, b"\0" * 5000, b"x"])
@pytest.mark.parametrize("read_only", [False, True])
def test_what_is_no_database_is_left_as_it_is(tmp_path: Path, junk: bytes, read_only: bool) -> None:
    path = tmp_path / "workspace.db"
    path.write_bytes(junk)
    told = refusal(lambda: Workspace.open(path, read_only=read_only))
    assert told.code in ("damaged", "not-a-workspace")
    assert path.read_bytes() == junk
    assert files_under(tmp_path) == {path}


def test_a_folder_is_no_workspace(tmp_path: Path) -> None:
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


def test_a_workspace_to_be_read_is_not_made(tmp_path: Path) -> None:
    assert refusal(lambda: Workspace.open(tmp_path / "none" / "w.db", read_only=True)).code == "missing"
    assert files_under(tmp_path) == set()


def test_where_no_file_can_be_made_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = refusal(lambda: Workspace.open(tmp_path / "file" / "workspace.db"))
    assert told.code == "io"
    assert "--workspace" in told.hint


# -- several at a time


def test_a_locked_workspace_is_waited_for(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    id = the(workspace, SAMPLE[NATIVE])
    with Agent(demo_workspace.path) as other:
        other.do("BEGIN IMMEDIATE")
        assert workspace.search(SAMPLE[NATIVE]).ids  # reading goes on
        release = threading.Timer(0.7, lambda: other.do("COMMIT"))
        release.start()
        workspace.pin([id])
        release.join()
    assert memory(workspace, id).pinned


def test_a_workspace_that_stays_locked_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, before = the(workspace, SAMPLE[NATIVE]), rows(workspace)
    workspace._ctx.db.connection().set_busy_timeout(50)  # not five seconds, for once
    with Agent(demo_workspace.path) as other:
        other.do("BEGIN IMMEDIATE")
        told = refusal(lambda: workspace.pin([id]))
        assert told.code == "busy"
        assert "locked by another program" in told.message
        other.do("ROLLBACK")
    assert rows(workspace) == before
    workspace.pin([id])


_OPENS = """
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


def _children(program: str, count: int, *args: Any) -> list[str]:
    """Run `count` of a program that all begin at one moment; what each printed."""
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
    told = [child.communicate() for child in children]
    for child, (_, trouble) in zip(children, told, strict=True):
        assert child.returncode == 0, trouble
    return [out for out, _ in told]


def test_several_may_open_a_new_workspace_at_the_same_moment(tmp_path: Path) -> None:
    paths = [tmp_path / f"new-{number}" / "workspace.db" for number in range(rounds(5, 12))]
    count = rounds(2, 3)
    _children(_OPENS, count, *paths)
    for path in paths:
        workspace = Workspace.open(path)
        assert workspace.counts().all == count
        assert [info.name for info in workspace.stores()] == [NATIVE]
        workspace.close()


_WRITES = """
import json, os, sys
from pathlib import Path
from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
import memtui.formats.mcp_memory
workspace = Workspace.open(Path(sys.argv[1]))
store, me = sys.argv[2], str(os.getpid())
sys.stdin.readline()
done, again = [], 0
for number in range(int(sys.argv[3])):
    text = f"Zebra {me} number {number}"
    if number % 3 == 0:
        act = lambda: done.append(workspace.add({"content": text}).ids[0])
    elif number % 3 == 1:
        act = lambda: done.append(workspace.add({"content": text, "subject": f"Zebra {me}"}, store).ids[0])
    else:
        act = lambda: workspace.edit([done[-1]], {"content": text})
    while True:
        try:
            act()
            break
        except Refused as refused:
            assert refused.code in ("changed", "busy"), refused.message
            again += 1
            assert again < 500
            workspace.pull()
print(json.dumps([me, again]))
workspace.close()
"""


def test_two_that_write_at_once_lose_nothing(demo_workspace: DemoWorkspace) -> None:
    """Many changes each, into our own store and into one file of another; none is told "locked"."""
    times = rounds(10, 30)
    told = [json.loads(out) for out in _children(_WRITES, 2, demo_workspace.path, MCP, times)]
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled == ()
        agrees(workspace)
        for me, _ in told:
            texts = {memory(workspace, id).content for id in workspace.search(f'"Zebra {me}"').ids}
            expected = {
                f"Zebra {me} number {number}" for number in range(times) if number % 3 == 0 or number % 3 == 2
            }
            assert texts == expected
        assert {event.state for event in workspace.journal()} <= {"done", "refused"}
        assert {event.actor for event in workspace.journal()} <= {"person", "agent:seed"}
        assert workspace.pull().total == 0
        words_agree(workspace)


def test_each_thread_has_a_connection_and_writes_wait(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    ids = [the(workspace, SAMPLE[store]) for store in STORES]
    troubles: list[BaseException] = []

    def work(id: int) -> None:
        try:
            for _ in range(4):
                workspace.pin([id])
                workspace.search("")
                workspace.unpin([id])
            workspace.close_thread()
        except (Refused, apsw.Error) as trouble:
            troubles.append(trouble)

    threads = [threading.Thread(target=work, args=(id,)) for id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert not workspace.search("is:pinned").ids
    agrees(workspace)
