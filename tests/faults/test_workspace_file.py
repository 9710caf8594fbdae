"""Faults 1 to 21: the files, disks and schemas of the workspace and of stores that are databases."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.formats import backup_copy
from memtui.tui.app import MemtuiApp
from memtui.workspace.db import database, migrations
from memtui.workspace.maintenance import workspace_checks
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import drive, typed
from tests.support.command_line import Cli
from tests.support.corruption import overwrite_pages, page_numbers, replace_in_memories
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_executes,
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    copy_demo_workspace,
    files_under,
    find_id,
    memory,
    refusal,
    rows,
)
from tests.support.kills.kill_harness import KillHarness
from tests.support.older_workspace import RENAMED, downgrade
from tests.support.os_faults import NOBODY, fill_disk, limit_file_size, read_only, run_child, small_disk
from tests.support.stores import Agent, file_hashes


def test_fault_01_kill_in_the_middle_of_a_write(demo_workspace: DemoWorkspace) -> None:
    """Nothing acknowledged is lost; rows, word index and journal agree (hundreds more in test_kills)."""
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    before = all_contents(demo_workspace.folder)
    kill_harness = KillHarness()
    end = {"kind": "step", "at": 1, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)["killed"]
    kill_harness.close()
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled[0].startswith("Finished an interrupted change: Edited 1 memory")
        assert memory(workspace, id).content == "Zebra."
        assert_in_sync(workspace)
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before


def test_fault_03_sqlite_without_the_fix(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor fails and prints the version; the linked SQLite is a safe one."""
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= workspace_checks.MIN_SAFE_SQLITE
    assert cli("doctor").code == 0
    monkeypatch.setattr(workspace_checks, "MIN_SAFE_SQLITE", (99, 0, 0))
    result = cli("doctor")
    assert result.code == 1
    assert f"SQLite {apsw.sqlite_lib_version()} is in use" in result.out


def test_fault_04_no_vec0(
    demo_workspace: DemoWorkspace, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Memories and word search work, and the doctor reports that search by meaning is off."""
    (tmp_path / "vec0.so").write_bytes(b"no library")
    monkeypatch.setattr(database, "_vec0", lambda: str(tmp_path / "vec0"))
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
        workspace.edit([id], {"content": "Zebra."})
        assert list(workspace.search("zebra").ids) == [id]
        workspace.undo()
        assert_in_sync(workspace)
        (issue,) = [each for each in workspace.doctor() if each.code == "no-meaning"]
        assert "text search and everything else work" in issue.meaning
    assert "Could not load sqlite-vec" in cli("doctor").out


@pytest.mark.parametrize("target", ["workspace", FOUNDER])
def test_fault_05_a_locked_file(demo_workspace: DemoWorkspace, workspace: Workspace, target: str) -> None:
    """Retried until the timeout, then refused as busy; reads still work; never reported as corruption."""
    native = target == "workspace"
    id = find_id(workspace, SAMPLE[NATIVE if native else FOUNDER])
    before = rows(workspace)
    workspace._ctx.db.connection().set_busy_timeout(50)  # instead of five seconds
    with Agent(demo_workspace.path if native else demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("BEGIN IMMEDIATE")
        error = refusal(lambda: workspace.edit([id], {"content": "Zebra."}))
        assert error.code == "busy"
        assert "damage" not in f"{error.message} {error.hint}".lower()
        assert workspace.search(SAMPLE[FOUNDER]).ids
        assert rows(workspace) == before
        agent.execute("ROLLBACK")
    workspace.edit([id], {"content": "Zebra."})
    assert memory(workspace, id).content == "Zebra."


def test_fault_06_a_read_never_becomes_a_write(demo_workspace: DemoWorkspace) -> None:
    """Every writing transaction begins as IMMEDIATE: an upgrade would fail at once when busy."""
    writes: list[str] = []
    reading: set[int] = set()  # connections in a transaction that was not begun as IMMEDIATE

    def traced(event: dict[str, Any]) -> None:
        sql = str(event["sql"]).strip().rstrip(";").upper()
        word, connection_id = sql.split(maxsplit=1)[0], id(event["connection"])
        if word == "BEGIN":
            (reading.discard if "IMMEDIATE" in sql else reading.add)(connection_id)
        elif word in ("COMMIT", "END", "ROLLBACK") and " TO " not in sql:
            reading.discard(connection_id)
        elif word in ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP") and connection_id in reading:
            writes.append(sql)

    def hook(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, traced)

    apsw.connection_hooks.append(hook)
    try:
        with demo_workspace.opened() as workspace:
            demo_workspace.clock.now += 86_400
            for store in STORES:
                ids = [find_id(workspace, SAMPLE[store])]
                workspace.edit(ids, {"content": "Zebra."})
                workspace.confirm(ids)
                workspace.dismiss(ids)
                workspace.restore(ids)
                workspace.undo()
            workspace.add({"content": "One more."})
            workspace.pull()
            workspace.repair(workspace.doctor())
            workspace.purge([find_id(workspace, "One more")])
            workspace.restore_backup(workspace.backups(FOUNDER)[0].id)
    finally:
        apsw.connection_hooks.remove(hook)
    assert writes == []


def test_fault_07_disk_full(template: DemoWorkspace, tmp_path: Path) -> None:
    """Rolled back and refused; with space again, everything works. Without the right to mount, a limit on the
    size of files replaces the small disk."""
    program = """
        path, limit = Path(sys.argv[1]), sys.argv[2] == "limit"
        workspace = Workspace.open(path)
        ids = [workspace.search(words, live=False).ids[0] for words in sys.argv[3:]]
        workspace.pin(ids); workspace.undo()  # the day's backups are made
        workspace._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        before = workspace.memories(ids)
        if limit:
            from tests.support.os_faults import limit_file_size
            limit_file_size(1 << 14)
        else:
            from tests.support.os_faults import fill_disk
            ballast = fill_disk(Path(sys.argv[2]))
        for id in ids:
            result.append(refused(lambda: workspace.edit([id], {"content": "Zebra. " * 3000})))
        assert workspace.memories(ids) == before
        assert len(workspace.search("", live=False).ids) > 30
        if limit:
            limit_file_size()
        else:
            ballast.unlink()
        assert workspace.memories(ids) == before
        for id in ids:
            result.append(refused(lambda: workspace.edit([id], {"content": "Zebra. " * 3000})))
            workspace.undo()
        assert workspace.memories(ids) == before
        assert workspace.pull().total == 0
        workspace.close()
    """
    with small_disk(tmp_path / "disk", "10m") as small:
        home = (small or tmp_path / "disk") / "home"
        demo_workspace = copy_demo_workspace(template, home)
        before = all_contents(demo_workspace.folder)
        words = [SAMPLE[store] for store in STORES]
        result = run_child(program, demo_workspace.path, small or "limit", *words)
        full, after = result[: len(STORES)], result[len(STORES) :]
        assert {code for code, _ in full} == {"disk-full" if small else "io"}, full
        assert [code for code, _ in after] == ["done"] * len(STORES), after
        with demo_workspace.opened() as workspace:
            assert_in_sync(workspace)
            assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
        assert all_contents(demo_workspace.folder) == before


def test_fault_07_disk_full_keeps_the_draft(template: DemoWorkspace, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "10m") as small:
        demo_workspace = copy_demo_workspace(template, (small or tmp_path / "disk") / "home")
        with demo_workspace.opened() as workspace:
            workspace.confirm([find_id(workspace, SAMPLE[NATIVE])])
            workspace.undo()
        app = MemtuiApp(demo_workspace.open, clock=demo_workspace.clock)
        keys = ["/", *typed("staging host"), "down", "e", *typed("Zebra " * 3)]
        try:
            seen = drive(
                app, *keys, lambda _: fill_disk(small) if small else limit_file_size(1 << 14), "ctrl+s"
            )
        finally:
            limit_file_size()
        assert "Zebra Zebra Zebra" in seen
        assert ("disk is full" if small else "disk I/O error") in seen


def test_fault_08_a_read_only_file(demo_workspace: DemoWorkspace) -> None:
    """Another user may read the workspace but not write it: everything is shown, changes are refused."""
    before = demo_workspace.path.read_bytes()
    with read_only(demo_workspace.folder):
        result = run_child(
            """
            workspace = Workspace.open(Path(sys.argv[1]))
            (id,) = workspace.search(sys.argv[2]).ids
            result += [workspace.read_only, workspace.stores()[0].read_only]
            result.append(refused(lambda: workspace.pin([id])))
            result.append(refused(lambda: workspace.add({"content": "No."})))
            """,
            demo_workspace.path,
            SAMPLE[MCP],
            nobody=True,
        )
    assert result[0] is True
    assert "You don't have permission to write the workspace file" in result[1]
    assert [each[0] for each in result[2:]] == ["read-only", "read-only"]
    assert demo_workspace.path.read_bytes() == before


def test_fault_09_a_wal_database_in_a_read_only_folder(demo_workspace: DemoWorkspace, tmp_path: Path) -> None:
    """Read from a copy that includes the log; no file appears next to it."""
    path = demo_workspace.store_paths[FOUNDER]
    agent = Agent(path)
    agent.execute("UPDATE memories SET content = 'Only in the log.' WHERE key = 'offer-currency'")
    agent.kill()
    (tmp_path / "mine").mkdir()
    if os.geteuid() == 0:
        os.chown(tmp_path / "mine", NOBODY, NOBODY)
    before = file_hashes(path)
    with read_only(path.parent):
        result = run_child(
            """
            workspace = Workspace.open(Path(sys.argv[1]) / "w.db")
            workspace.attach(sys.argv[2])
            result += [len(workspace.search("only log").ids), workspace.stores()[1].read_only]
            """,
            tmp_path / "mine",
            path,
            nobody=True,
        )
    assert result[0] == 1
    assert "No write permission" in result[1]
    assert file_hashes(path) == before


@pytest.mark.parametrize("log", [False, True])
def test_fault_09_a_workspace_in_a_read_only_folder(demo_workspace: DemoWorkspace, log: bool) -> None:
    with demo_workspace.opened() as workspace:
        workspace.add({"content": "Zebra."})
    if log:
        agent = Agent(demo_workspace.path)
        agent.execute("UPDATE stores SET error = 'only in the log' WHERE id = 2")
        agent.kill()
    before = files_under(demo_workspace.path.parent)
    with read_only(demo_workspace.folder):
        result = run_child(
            """
            workspace = Workspace.open(Path(sys.argv[1]))
            result += [workspace.read_only, len(workspace.search("zebra").ids), workspace.stores()[1].error]
            """,
            demo_workspace.path,
            nobody=True,
        )
    assert result == [True, 1, "only in the log" if log else ""]
    assert files_under(demo_workspace.path.parent) == before


@pytest.mark.parametrize("kind", ["text", "truncated", "empty", "a folder"])
def test_fault_10_a_file_that_is_no_database(
    demo_workspace: DemoWorkspace, cli: Cli, tmp_path: Path, kind: str
) -> None:
    """A clear error, and the bytes stay untouched, both as a workspace and as a store."""
    data = demo_workspace.path.read_bytes()
    path = tmp_path / "thing.db"
    if kind == "a folder":
        path.mkdir()
    else:
        path.write_bytes({"text": b"hello\n" * 900, "truncated": data[:9000], "empty": b""}[kind])
    for words in (["--workspace", str(path), "list"], ["stores", "attach", str(path)]):
        if kind in ("empty", "a folder") and words[0] == "--workspace":
            continue  # a new workspace is created there
        before = None if path.is_dir() else path.read_bytes()
        result = cli("--json", *words)
        assert result.code != 0
        assert result.error["message"]
        assert str(path.name) in result.error["message"]
        assert path.is_dir() or path.read_bytes() == before


def test_fault_11_a_truncated_header_is_not_replaced(demo_workspace: DemoWorkspace) -> None:
    demo_workspace.path.write_bytes(demo_workspace.path.read_bytes()[:50])
    error = refusal(demo_workspace.open)
    assert error.code in ("damaged", "not-a-workspace")
    assert demo_workspace.path.stat().st_size == 50
    path = demo_workspace.store_paths[FOUNDER]
    path.write_bytes(path.read_bytes()[:50])
    workspace = Workspace.open(demo_workspace.folder / "other.db")
    assert refusal(lambda: workspace.attach(path)).message
    assert path.stat().st_size == 50
    workspace.close()


def test_fault_12_a_damaged_page(demo_workspace: DemoWorkspace, cli: Cli, tmp_path: Path) -> None:
    """Found when the workspace is opened; it is read-only then, and what can be read is saved to a new
    file."""
    overwrite_pages(demo_workspace.path, page_numbers(demo_workspace.path, "journal")[0])
    before = demo_workspace.path.read_bytes()
    with demo_workspace.opened() as workspace:
        assert workspace.read_only
        error = refusal(lambda: workspace.add({"content": "No."}))
        assert "memtui doctor --salvage NEW" in error.message
    result = cli("doctor", "--salvage", str(tmp_path / "saved.db"))
    assert result.code == 0, result.err
    assert demo_workspace.path.read_bytes() == before
    saved = Workspace.open(tmp_path / "saved.db")
    assert saved.search(SAMPLE[NATIVE]).ids
    assert not saved.read_only
    saved.close()


def test_fault_13_a_flipped_byte(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Found by the hash of each row's texts; SQLite's own check does not see it."""
    replace_in_memories(demo_workspace.path, "Is allergic to nuts", "Is allergic to nXts")
    connection = apsw.Connection(str(demo_workspace.path))
    assert connection.pragma("integrity_check") == "ok"
    connection.close()
    result = cli("doctor")
    assert result.code == 1
    assert "it was corrupted on disk" in result.out
    cli("doctor", "--fix")
    with demo_workspace.opened() as workspace:
        workspace.pull()
        assert find_id(workspace, SAMPLE[MCP])
        assert_in_sync(workspace)


def test_fault_14_an_inconsistent_word_index(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    with demo_workspace.opened() as workspace:
        workspace._ctx.db.run("DELETE FROM words_docsize WHERE id = 3")
    result = cli("doctor", "--fix")
    assert "Rebuilt the text search index from the memories." in result.out
    with demo_workspace.opened() as workspace:
        assert_word_index_intact(workspace)
        assert not workspace.read_only


def test_fault_16_a_newer_schema_is_only_read(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    connection = apsw.Connection(str(demo_workspace.path))
    connection.pragma("user_version", migrations.latest() + 1)
    connection.close()
    before = demo_workspace.path.read_bytes()
    uid = cli.uid(SAMPLE[MCP])
    result = cli("--json", "pin", uid)
    assert result.error["code"] == "read-only"
    assert "newer version of memtui" in result.error["message"]
    assert demo_workspace.path.read_bytes() == before


@pytest.mark.parametrize("has_backup_folder", [True, False])
def test_fault_17_no_migration_without_a_verified_backup(
    demo_workspace: DemoWorkspace, has_backup_folder: bool
) -> None:
    downgrade(demo_workspace.path)
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    shutil.rmtree(folder, ignore_errors=True)
    if not has_backup_folder:
        folder.write_text("A file is in the way.")
        before = demo_workspace.path.read_bytes()
        error = refusal(demo_workspace.open)
        assert error.code == "backup"
        assert demo_workspace.path.read_bytes() == before
        return
    with demo_workspace.opened() as workspace:
        (backup,) = workspace.backups()
        backup_copy.verify(Path(backup.path))
        with backup_copy.open_copy(Path(backup.path)) as copy:
            assert int(copy.pragma("user_version")) == RENAMED - 1
        assert_in_sync(workspace)


def test_fault_18_backups_are_for_their_owner_only(demo_workspace: DemoWorkspace) -> None:
    mask = os.umask(0)
    try:
        with demo_workspace.opened() as workspace:
            demo_workspace.clock.now += 86_400
            workspace.dismiss([find_id(workspace, SAMPLE[store]) for store in STORES])
            made = [Path(backup.path) for backup in workspace.backups()]
    finally:
        os.umask(mask)
    assert len(made) >= len(STORES)
    assert {stat.S_IMODE(file.stat().st_mode) for file in made} == {0o600}
    assert stat.S_IMODE(made[0].parent.stat().st_mode) == 0o700


def test_fault_19_a_stray_log_beside_what_is_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The log belongs to the database that is gone; replayed into the restored one, it would corrupt it."""
    demo_workspace.clock.now += 86_400
    path = demo_workspace.store_paths[FOUNDER]
    before = all_contents(demo_workspace.folder)[FOUNDER]
    workspace.edit([find_id(workspace, SAMPLE[FOUNDER])], {"content": "Zebra."})
    agent = Agent(path)
    agent.execute("UPDATE memories SET content = 'Only in the log.'")
    agent.kill()
    path.unlink()
    assert path.with_name("memory.db-wal").stat().st_size > 0
    workspace.restore_backup(workspace.backups(FOUNDER)[0].id)
    assert all_contents(demo_workspace.folder)[FOUNDER] == before
    assert file_hashes(path).keys() == {"memory.db"}
    assert_in_sync(workspace)


@pytest.mark.parametrize("how", ["deleted", "swapped"])
def test_fault_20_the_workspace_file_is_removed_while_open(
    demo_workspace: DemoWorkspace, workspace: Workspace, how: str
) -> None:
    """Noticed before the write: SQLite would write into the removed file."""
    id = find_id(workspace, SAMPLE[NATIVE])
    away = demo_workspace.path.with_name("away.db")
    demo_workspace.path.rename(away)
    if how == "swapped":
        shutil.copy(away, demo_workspace.path)
    replacement = demo_workspace.path.read_bytes() if how == "swapped" else b""
    error = refusal(lambda: workspace.pin([id]))
    assert error.code == "moved"
    assert not memory(workspace, id).pinned
    assert how == "deleted" or demo_workspace.path.read_bytes() == replacement


def test_fault_20_a_store_is_swapped_just_before_the_write(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[FOUNDER]
    id = find_id(workspace, SAMPLE[FOUNDER])
    twin = path.with_name("twin.db")
    shutil.copy(path, twin)
    agent_executes(twin, "UPDATE memories SET content = 'Said by another file.' WHERE key = 'offer-currency'")
    before = file_hashes(twin)["twin.db"]

    def swap(name: str) -> None:
        if name == "before the foreign write":
            twin.rename(path)

    workspace._ctx.on_step = swap
    assert refusal(lambda: workspace.edit([id], {"content": "Zebra."})).code in ("conflict", "changed")
    workspace._ctx.on_step = lambda name: None
    assert file_hashes(path)["memory.db"] == before
    workspace.pull()
    assert_in_sync(workspace)


def test_fault_21_a_hard_link_is_not_written(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Each name would have a log of its own, so the store and the workspace are read-only."""
    path = demo_workspace.store_paths[FOUNDER]
    with demo_workspace.opened() as workspace:
        os.link(path, path.with_name("second.db"))
        id, before = find_id(workspace, SAMPLE[FOUNDER]), file_hashes(path)
        error = refusal(lambda: workspace.edit([id], {"content": "Zebra."}))
        assert error.code == "read-only"
        assert "hard link" in error.message
        assert file_hashes(path) == before
    os.link(demo_workspace.path, demo_workspace.path.with_name("second.db"))
    for name in (demo_workspace.path, demo_workspace.path.with_name("second.db")):
        database = demo_workspace.path.read_bytes()
        result = cli("--json", "--workspace", str(name), "add", "Zebra.")
        assert result.error["code"] == "read-only"
        assert "hard link" in result.error["message"]
        assert demo_workspace.path.read_bytes() == database
    demo_workspace.path.with_name("second.db").unlink()
    assert cli("add", "Zebra.").code == 0


def test_fault_21_a_file_of_a_folder_with_two_names(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    path = demo_workspace.store_paths[CLAUDE] / "feedback_tests.md"
    os.link(path, path.with_name("second.txt"))
    workspace.pull()
    before = path.read_bytes()
    error = refusal(lambda: workspace.edit([find_id(workspace, SAMPLE[CLAUDE])], {"content": "Zebra."}))
    assert "hard link" in error.message
    assert path.read_bytes() == before
