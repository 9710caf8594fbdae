"""Backups before a day's first write and before a migration, and restoring them (S-6, S-64, faults 17–19)."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite import connection
from memtui.memory.stores import Backup
from memtui.workspace.db import migrations
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    assert_in_sync,
    contents,
    find_id,
    item_states,
    memory,
    refusal,
)
from tests.support.stores import Agent, file_hashes, founder_os, rows_in

DAY = 86_400


@pytest.fixture(autouse=True)
def no_umask() -> Iterator[None]:
    """Disable the umask: memtui itself must set restrictive modes."""
    old = os.umask(0)
    yield
    os.umask(old)


def backup_folder(demo_workspace: DemoWorkspace) -> Path:
    return demo_workspace.path.with_name(demo_workspace.path.name + ".backups")


def edit(workspace: Workspace, store: str, text: str = "Zebras are striped.") -> None:
    workspace.edit([find_id(workspace, SAMPLE[store])], {"content": text})
    workspace.undo()


def backup_contents(backup: Backup) -> object:
    """Return the contents of a backup."""
    path = Path(backup.path)
    if path.suffix == ".db":
        return rows_in(path)
    with tarfile.open(path) as tar:
        return {
            member.name: (tar.extractfile(member).read(), member.mode)  # type: ignore[union-attr]
            for member in tar
            if member.isreg()
        }


def store_contents(store_path: Path) -> object:
    """Return the contents of the store in the same form."""
    if store_path.suffix == ".db":
        return rows_in(store_path)
    files = [store_path] if store_path.is_file() else sorted(store_path.rglob("*.md"))
    return {file.name: (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) for file in files}


@pytest.mark.parametrize("store", FOREIGN)
def test_the_first_write_of_a_day_makes_a_backup(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    before = store_contents(demo_workspace.store_paths[store])
    workspace.pin([find_id(workspace, SAMPLE[store])])
    assert workspace.backups(store) == []  # a pin writes nothing to the store
    edit(workspace, store)
    (backup,) = workspace.backups(store)
    assert backup_contents(backup) == before
    edit(workspace, store, "Once more.")
    assert workspace.backups(store) == [backup]
    demo_workspace.clock.now += DAY
    edit(workspace, store, "The next day.")
    assert len(workspace.backups(store)) == 2


def test_another_memtui_on_the_same_day_makes_no_second_backup(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, CLAUDE)
    with demo_workspace.opened() as other:
        edit(other, CLAUDE, "Another one.")
        assert len(other.backups(CLAUDE)) == 1


def test_a_backup_of_the_own_store_is_one_of_the_workspace(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.delete_backups([each.id for each in workspace.backups(NATIVE)])
    edit(workspace, NATIVE)
    (backup,) = workspace.backups(NATIVE)
    copy = Workspace.open(Path(shutil.copy(backup.path, demo_workspace.folder / "copy.db")))
    assert "staging host" in memory(copy, find_id(copy, SAMPLE[NATIVE])).content
    copy.close()


def test_a_large_workspace_is_not_backed_up(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.delete_backups([each.id for each in workspace.backups(NATIVE)])
    monkeypatch.setattr("memtui.workspace.stores.backups.MAX_WORKSPACE_BYTES", 1000)
    edit(workspace, NATIVE)
    assert workspace.backups(NATIVE) == []


def test_backups_are_readable_only_by_their_owner(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    modes: set[int] = set()
    real = os.open

    def open_and_record_mode(path: object, flags: int, mode: int = 0o777, **more: object) -> int:
        handle = real(path, flags, mode, **more)  # type: ignore[arg-type]
        modes.add(
            stat.S_IMODE(os.fstat(handle).st_mode)
            if str(backup_folder(demo_workspace)) in str(path)
            else 0o600
        )
        return handle

    os.open = open_and_record_mode
    try:
        for store in STORES:
            edit(workspace, store)
    finally:
        os.open = real
    assert modes <= {0o600, 0o700}
    assert stat.S_IMODE(backup_folder(demo_workspace).stat().st_mode) == 0o700
    files = list(backup_folder(demo_workspace).iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("store", [FOUNDER, CLAUDE])
def test_the_newest_ten_backups_are_kept(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    for day in range(13):
        demo_workspace.clock.now += DAY
        edit(workspace, store, f"On day {day}.")
    kept = workspace.backups(store)
    assert len(kept) == 10
    assert [each.made_at for each in kept] == sorted((each.made_at for each in kept), reverse=True)
    assert kept[0].made_at > demo_workspace.clock.now - DAY
    assert sorted(each.id for each in kept) == [each.id for each in reversed(kept)]


@pytest.mark.parametrize("store", STORES)
def test_nothing_is_written_without_a_backup(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    for each in workspace.backups():
        workspace.delete_backups([each.id])
    shutil.rmtree(backup_folder(demo_workspace), ignore_errors=True)
    backup_folder(demo_workspace).write_text("no folder")
    id = find_id(workspace, SAMPLE[store])
    before = memory(workspace, id), store != NATIVE and contents(demo_workspace.store_paths[store])
    refused = refusal(lambda: workspace.edit([id], {"content": "Zebras are striped."}))
    assert refused.code == "backup"
    assert "backup" in refused.message
    assert "Nothing was changed" in refused.hint
    assert (memory(workspace, id), store != NATIVE and contents(demo_workspace.store_paths[store])) == before
    backup_folder(demo_workspace).unlink()
    edit(workspace, store)
    assert len(workspace.backups(store)) == 1


def test_an_addition_refused_for_lack_of_a_backup_leaves_no_row(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    shutil.rmtree(backup_folder(demo_workspace), ignore_errors=True)
    backup_folder(demo_workspace).write_text("no folder")
    for store in FOREIGN:
        refusal(partial(workspace.add, {"content": "A zebra.", "subject": "Bo Janssen"}, store))
    assert len(workspace.search("zebra", live=False).ids) == 0


def test_an_unfinished_backup_is_ignored_and_removed(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("memtui.formats.backup_copy.copy_database", full)
        refused = refusal(lambda: edit(workspace, FOUNDER))
    assert "disk is full" in refused.message
    (backup_folder(demo_workspace) / ".20250101-000000-cut0ff.db").write_bytes(
        b"half"
    )  # left by a process that died
    assert workspace.backups(FOUNDER) == []
    edit(workspace, FOUNDER)
    assert len(workspace.backups(FOUNDER)) == 1
    assert not [file for file in backup_folder(demo_workspace).iterdir() if file.name.startswith(".")]


def test_a_database_is_backed_up_while_an_agent_writes(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store_path = demo_workspace.store_paths[FOUNDER]
    with Agent(store_path) as agent:
        agent.execute("PRAGMA journal_mode=WAL")
        agent.execute("UPDATE memories SET times_used = times_used + 1")
        edit(workspace, FOUNDER)
        agent.execute("UPDATE memories SET times_used = times_used + 1")
        (backup,) = workspace.backups(FOUNDER)
        assert rows_in(Path(backup.path))["memories"].keys() == rows_in(store_path)["memories"].keys()


# -- restoring


@pytest.mark.parametrize("store", FOREIGN)
def test_restoring_a_backup_updates_the_mirror(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    store_path = demo_workspace.store_paths[store]
    before = store_contents(store_path)
    workspace.edit([find_id(workspace, SAMPLE[store])], {"content": "Zebras are striped."})
    other = next(id for id in workspace.search(f"store:{store}").ids if id != find_id(workspace, "zebras"))
    workspace.dismiss([other])
    (backup,) = workspace.backups(store)
    after = store_contents(store_path)
    change = workspace.restore_backup(backup.id)
    assert store_contents(store_path) == before
    assert_in_sync(workspace)
    find_id(workspace, SAMPLE[store])
    assert memory(workspace, other).status != "dismissed"
    assert memory(workspace, other).ref
    assert change.kind == "restored-backup"
    kinds = [(entry.kind, entry.actor) for entry in workspace.journal(2)]
    assert kinds == [("pulled", "person"), ("restored-backup", "person")]
    pulled = workspace.journal(1)[0]
    assert not pulled.undoable
    assert refusal(lambda: workspace.undo(pulled.id)).message.endswith(
        "can't be undone: it came from a backup."
    )
    newest = workspace.backups(store)[0]
    assert backup_contents(newest) == after  # so the restore itself can be reverted
    workspace.restore_backup(newest.id)
    assert store_contents(store_path) == after
    assert_in_sync(workspace)


def test_restoring_keeps_other_files_and_recreates_missing_ones(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store_path = demo_workspace.store_paths[CLAUDE]
    (store_path / "deep").mkdir()
    (store_path / "deep" / "note.md").write_text("---\nname: n\ndescription: d\ntype: user\n---\n\nDeep.\n")
    before = store_contents(store_path)
    workspace.pull()
    edit(workspace, CLAUDE)
    (backup,) = workspace.backups(CLAUDE)
    (store_path / "image.png").write_bytes(b"\x89PNG")
    (store_path / "late.md").write_text("---\nname: n\ndescription: d\ntype: user\n---\n\nLate.\n")
    shutil.rmtree(store_path / "deep")
    workspace.restore_backup(backup.id)
    assert store_contents(store_path) == before
    assert (store_path / "image.png").exists()


@pytest.mark.parametrize("store", FOREIGN)
def test_a_missing_store_is_restored(demo_workspace: DemoWorkspace, workspace: Workspace, store: str) -> None:
    store_path = demo_workspace.store_paths[store]
    before = contents(store_path)
    edit(workspace, store)
    if store_path.is_dir():
        shutil.rmtree(store_path)
    else:
        store_path.unlink()
        if store == FOUNDER:
            store_path.with_name("memory.db-wal").write_bytes(b"a stray log")
    workspace.pull()
    (backup,) = workspace.backups(store)
    workspace.restore_backup(backup.id)
    if store == FOUNDER:
        assert contents(store_path) == before
        assert file_hashes(store_path).keys() == {"memory.db"}
    else:
        assert {name: data for name, (data, _) in contents(store_path).items()} == {
            name: data for name, (data, _) in before.items()
        }
    assert_in_sync(workspace)


def test_a_deleted_database_that_an_agent_has_open_is_not_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store_path = demo_workspace.store_paths[FOUNDER]
    edit(workspace, FOUNDER)
    (backup,) = workspace.backups(FOUNDER)
    with Agent(store_path) as agent:
        agent.execute("PRAGMA journal_mode=WAL")
        agent.execute("UPDATE memories SET times_used = times_used + 1")
        store_path.unlink()
        refused = refusal(lambda: workspace.restore_backup(backup.id))
        assert refused.code == "busy"
        assert not store_path.exists()
        assert store_path.with_name("memory.db-wal").exists()


def test_a_database_with_a_write_in_progress_is_busy(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, FOUNDER)
    (backup,) = workspace.backups(FOUNDER)
    with Agent(demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("BEGIN IMMEDIATE")
        refused = refusal(lambda: workspace.restore_backup(backup.id))
        assert refused.code == "busy"
        agent.execute("ROLLBACK")
    workspace.restore_backup(backup.id)


def test_restoring_files_is_all_or_nothing(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_path = demo_workspace.store_paths[CLAUDE]
    edit(workspace, CLAUDE)
    (backup,) = workspace.backups(CLAUDE)
    for name in ("user_ana.md", "project_orders.md", "reference_dashboards.md"):
        (store_path / name).write_text((store_path / name).read_text() + "\nMore.\n")
    before = contents(store_path)
    real, calls = atomic_write.change, []

    def fail_at_third(*args: object) -> None:
        calls.append(args)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_write, "change", fail_at_third)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "disk-full"
    assert contents(store_path) == before


def test_a_locked_or_detached_store_is_not_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, MCP)
    (backup,) = workspace.backups(MCP)
    agent_replaces(demo_workspace.store_paths[MCP], "Is allergic to nuts", "Is allergic to bees")
    before = contents(demo_workspace.store_paths[MCP])
    workspace.lock_store(MCP, True)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "read-only"
    workspace.lock_store(MCP, False)
    workspace.detach(MCP)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "no-store"
    assert refusal(lambda: workspace.restore_backup("19990101-000000-nothing")).code == "no-backup"
    assert contents(demo_workspace.store_paths[MCP]) == before


def test_the_workspace_is_restored_while_another_memtui_has_it_open(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    demo_workspace.clock.now += DAY
    id = find_id(workspace, SAMPLE[NATIVE])
    workspace.edit([id], {"content": "Zebras are striped."})
    with demo_workspace.opened() as other:
        backup = workspace.backups(NATIVE)[0]
        workspace.restore_backup(backup.id)
        assert "staging host" in memory(other, id).content
        assert other.journal(1)[0].kind == "restored-backup"
        edit(other, NATIVE)
    assert len(workspace.backups(NATIVE)) >= 2
    assert_in_sync(workspace)


def test_a_backup_with_an_older_schema_is_not_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    demo_workspace.clock.now += DAY
    edit(workspace, NATIVE)
    backup = workspace.backups(NATIVE)[0]
    agent_executes(Path(backup.path), "PRAGMA user_version = 1")
    refused = refusal(lambda: workspace.restore_backup(backup.id))
    assert refused.code == "older"
    assert "--workspace" in refused.hint


# -- before a migration


def schema(path: Path) -> list[object]:
    """Return the schema of a workspace and its one row."""
    connection = apsw.Connection(str(path))
    try:
        objects = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
        return [
            connection.pragma("user_version"),
            objects,
            connection.execute("SELECT * FROM stores").fetchall(),
        ]
    finally:
        connection.close()


def create_older_workspace(path: Path) -> Path:
    """Create a workspace with the schema before the latest."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=WAL")
    for number, sql in migrations.versions()[:-1]:
        for statement in migrations._statements(sql):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {migrations.APPLICATION_ID}")
    connection.execute(
        "INSERT INTO stores (name, format, path, attached_at) VALUES ('native', 'native', '', 1)"
    )
    connection.close()
    return path


def test_a_migration_makes_a_backup_first(tmp_path: Path) -> None:
    path = create_older_workspace(tmp_path / "w.db")
    before = schema(path)
    workspace = Workspace.open(path)
    (backup,) = workspace.backups()
    workspace.close()
    assert stat.S_IMODE(Path(backup.path).stat().st_mode) == 0o600
    assert schema(Path(backup.path)) == before
    Workspace.open(path).close()
    assert len(list((tmp_path / "w.db.backups").glob("*.db"))) == 1


def test_nothing_is_migrated_without_a_backup(tmp_path: Path) -> None:
    path = create_older_workspace(tmp_path / "w.db")
    (tmp_path / "w.db.backups").write_text("no folder")
    before = schema(path)
    refused = refusal(lambda: Workspace.open(path))
    assert refused.code == "backup"
    assert schema(path) == before
    (tmp_path / "w.db.backups").unlink()
    Workspace.open(path).close()


def test_a_new_workspace_needs_no_backup(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "w.db").close()
    assert not (tmp_path / "w.db.backups").exists()


def test_the_journal_says_why_a_write_was_refused(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    shutil.rmtree(backup_folder(demo_workspace), ignore_errors=True)
    backup_folder(demo_workspace).write_text("no folder")
    refusal(lambda: edit(workspace, MCP))
    ((state, reason),) = item_states(workspace, workspace.journal(1)[0].id)
    assert state == "refused"
    assert "backup" in reason


# -- busy agents, damaged backups, closing


@dataclass
class CopyBetweenWrites:
    """A copy in progress with another `step`."""

    copy: Any
    step: Callable[[int], bool]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.copy, name)


def test_a_database_is_copied_while_an_agent_keeps_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        founder_os.MEMORIES[0] | {"id": str(n), "key": str(n), "embedding": "x" * 20_000} for n in range(120)
    ]
    store_path = founder_os.make(tmp_path / "memory.db", rows, adaptations=(), journal="delete")
    copy = tmp_path / "copy.db"
    copy.touch()
    agent, source = apsw.Connection(str(store_path)), apsw.Connection(str(store_path))
    steps = 0

    class BusyConnection(apsw.Connection):
        """Lets the agent write before each step of a copy."""

        @contextmanager
        def backup(self, *source: Any) -> Iterator[Any]:  # type: ignore[override]
            with super().backup(*source) as work:

                def step(pages: int) -> bool:
                    nonlocal steps
                    steps += 1
                    agent.execute("BEGIN EXCLUSIVE")
                    agent.execute("UPDATE memories SET times_used = times_used + 1")
                    return work.step(pages)

                yield CopyBetweenWrites(work, step)

    def give_up_after_six(already: int) -> bool:
        """Give up after six waits since the last statement, as a timeout does."""
        if already % 3 == 2 and agent.in_transaction:
            agent.execute("COMMIT")
        return already < 6

    source.set_busy_handler(give_up_after_six)
    monkeypatch.setattr(apsw, "Connection", BusyConnection)
    monkeypatch.setattr(connection, "STEP", 200)
    connection.copy_database(source, copy)
    monkeypatch.undo()
    assert steps > 4
    agent.close()
    source.close()
    assert len(rows_in(copy)["memories"]) == 120


@pytest.mark.parametrize("store", [CLAUDE, MCP])
@pytest.mark.parametrize("fault", ["a bit in a head", "cut at a head", "cut in a file", "the end is gone"])
def test_a_damaged_backup_is_not_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, fault: str
) -> None:
    edit(workspace, store)
    (backup,) = workspace.backups(store)
    path, before = Path(backup.path), contents(demo_workspace.store_paths[store])
    data = bytearray(path.read_bytes())
    with tarfile.open(path) as tar:
        last = tar.getmembers()[-1]
        end = tar.offset
    if fault == "a bit in a head":
        data[last.offset + 1] ^= 1
    else:
        del data[{"cut at a head": last.offset, "cut in a file": last.offset_data + 5}.get(fault, end) :]
    path.write_bytes(data)
    refused = refusal(lambda: workspace.restore_backup(backup.id))
    assert refused.code == "damaged"
    assert "Nothing was changed" in refused.hint
    assert contents(demo_workspace.store_paths[store]) == before
    assert workspace.journal()[0].kind != "restored-backup"


def test_a_restore_finishes_while_memtui_is_closing(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The restored memories are changes of the user, not of an agent."""
    workspace.mark_seen()
    edit(workspace, CLAUDE)
    workspace.redo()
    (backup,) = workspace.backups(CLAUDE)
    workspace.stop_reading()
    assert workspace.restore_backup(backup.id).summary.endswith("1 changed")
    workspace.close()
    with demo_workspace.opened() as reopened:
        assert reopened.pull().total == 0
        assert reopened.agent_activity().items == []
        assert [(entry.kind, entry.actor) for entry in reopened.journal(2)] == [
            ("pulled", "person"),
            ("restored-backup", "person"),
        ]
        assert_in_sync(reopened)
