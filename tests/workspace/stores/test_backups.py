"""Backups before a day's first write, going back to one, and one before a migration
(S-6, S-64, faults 17–19)."""

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
    agent_sets,
    agent_writes,
    agrees,
    contents,
    memory,
    outcome,
    refusal,
    the,
)
from tests.support.stores import Agent, bytes_of, founder_os, rows_in

DAY = 86_400


@pytest.fixture(autouse=True)
def no_mask() -> Iterator[None]:
    """What may be read by whom is not left to the umask."""
    old = os.umask(0)
    yield
    os.umask(old)


def shelf(demo_workspace: DemoWorkspace) -> Path:
    return demo_workspace.path.with_name(demo_workspace.path.name + ".backups")


def edit(workspace: Workspace, store: str, text: str = "Zebras are striped.") -> None:
    workspace.edit([the(workspace, SAMPLE[store])], {"content": text})
    workspace.undo()


def told(backup: Backup) -> object:
    """What a copy holds."""
    path = Path(backup.path)
    if path.suffix == ".db":
        return rows_in(path)
    with tarfile.open(path) as tar:
        return {
            member.name: (tar.extractfile(member).read(), member.mode)  # type: ignore[union-attr]
            for member in tar
            if member.isreg()
        }


def stands(place: Path) -> object:
    """The same of the store itself."""
    if place.suffix == ".db":
        return rows_in(place)
    files = [place] if place.is_file() else sorted(place.rglob("*.md"))
    return {file.name: (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) for file in files}


@pytest.mark.parametrize("store", FOREIGN)
def test_the_first_write_of_a_day_is_preceded_by_a_copy(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    before = stands(demo_workspace.places[store])
    workspace.pin([the(workspace, SAMPLE[store])])
    assert workspace.backups(store) == []  # nothing was written there
    edit(workspace, store)
    (backup,) = workspace.backups(store)
    assert told(backup) == before
    edit(workspace, store, "Once more.")
    assert workspace.backups(store) == [backup]
    demo_workspace.clock.now += DAY
    edit(workspace, store, "The next day.")
    assert len(workspace.backups(store)) == 2


def test_another_memtui_on_the_same_day_makes_no_second_copy(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, CLAUDE)
    with demo_workspace.opened() as other:
        edit(other, CLAUDE, "Another one.")
        assert len(other.backups(CLAUDE)) == 1


def test_our_own_memories_are_copied_with_the_workspace(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    workspace.delete_backups([each.id for each in workspace.backups(NATIVE)])
    edit(workspace, NATIVE)
    (backup,) = workspace.backups(NATIVE)
    copy = Workspace.open(Path(shutil.copy(backup.path, demo_workspace.folder / "copy.db")))
    assert "staging host" in memory(copy, the(copy, SAMPLE[NATIVE])).content
    copy.close()


def test_a_large_workspace_is_not_copied(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.delete_backups([each.id for each in workspace.backups(NATIVE)])
    monkeypatch.setattr("memtui.workspace.stores.backups.LARGEST", 1000)
    edit(workspace, NATIVE)
    assert workspace.backups(NATIVE) == []


def test_only_their_owner_may_read_them(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    modes: set[int] = set()
    real = os.open

    def seen(path: object, flags: int, mode: int = 0o777, **more: object) -> int:
        handle = real(path, flags, mode, **more)  # type: ignore[arg-type]
        modes.add(
            stat.S_IMODE(os.fstat(handle).st_mode) if str(shelf(demo_workspace)) in str(path) else 0o600
        )
        return handle

    os.open = seen
    try:
        for store in STORES:
            edit(workspace, store)
    finally:
        os.open = real
    assert modes <= {0o600, 0o700}
    assert stat.S_IMODE(shelf(demo_workspace).stat().st_mode) == 0o700
    files = list(shelf(demo_workspace).iterdir())
    assert len(files) == 4
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("store", [FOUNDER, CLAUDE])
def test_the_newest_ten_are_kept(demo_workspace: DemoWorkspace, workspace: Workspace, store: str) -> None:
    for day in range(13):
        demo_workspace.clock.now += DAY
        edit(workspace, store, f"On day {day}.")
    kept = workspace.backups(store)
    assert len(kept) == 10
    assert [each.made_at for each in kept] == sorted((each.made_at for each in kept), reverse=True)
    assert kept[0].made_at > demo_workspace.clock.now - DAY
    assert sorted(each.id for each in kept) == [each.id for each in reversed(kept)]


@pytest.mark.parametrize("store", STORES)
def test_where_no_copy_can_be_made_nothing_is_written(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    for each in workspace.backups():
        workspace.delete_backups([each.id])
    shutil.rmtree(shelf(demo_workspace), ignore_errors=True)
    shelf(demo_workspace).write_text("no folder")
    id = the(workspace, SAMPLE[store])
    before = memory(workspace, id), store != NATIVE and contents(demo_workspace.places[store])
    refused = refusal(lambda: workspace.edit([id], {"content": "Zebras are striped."}))
    assert refused.code == "backup"
    assert "backup" in refused.message
    assert "Nothing was changed" in refused.hint
    assert (memory(workspace, id), store != NATIVE and contents(demo_workspace.places[store])) == before
    shelf(demo_workspace).unlink()
    edit(workspace, store)
    assert len(workspace.backups(store)) == 1


def test_an_add_that_is_refused_so_leaves_no_row(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    shutil.rmtree(shelf(demo_workspace), ignore_errors=True)
    shelf(demo_workspace).write_text("no folder")
    for store in FOREIGN:
        refusal(partial(workspace.add, {"content": "A zebra.", "subject": "Bo Janssen"}, store))
    assert len(workspace.search("zebra", live=False).ids) == 0


def test_a_half_made_copy_counts_for_nothing(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise apsw.FullError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("memtui.formats.backup_copy.copy_database", full)
        refused = refusal(lambda: edit(workspace, FOUNDER))
    assert "disk is full" in refused.message
    (shelf(demo_workspace) / ".20250101-000000-cut0ff.db").write_bytes(b"half")  # a process died there
    assert workspace.backups(FOUNDER) == []
    edit(workspace, FOUNDER)
    assert len(workspace.backups(FOUNDER)) == 1
    assert not [file for file in shelf(demo_workspace).iterdir() if file.name.startswith(".")]


def test_a_database_is_copied_while_its_agent_writes(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    with Agent(place) as agent:
        agent.do("PRAGMA journal_mode=WAL")
        agent.do("UPDATE memories SET times_used = times_used + 1")
        edit(workspace, FOUNDER)
        agent.do("UPDATE memories SET times_used = times_used + 1")
        (backup,) = workspace.backups(FOUNDER)
        assert rows_in(Path(backup.path))["memories"].keys() == rows_in(place)["memories"].keys()


# -- going back


@pytest.mark.parametrize("store", FOREIGN)
def test_a_store_goes_back_and_the_mirror_follows(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    place = demo_workspace.places[store]
    before = stands(place)
    workspace.edit([the(workspace, SAMPLE[store])], {"content": "Zebras are striped."})
    other = next(id for id in workspace.search(f"store:{store}").ids if id != the(workspace, "zebras"))
    workspace.dismiss([other])
    (backup,) = workspace.backups(store)
    after = stands(place)
    change = workspace.restore_backup(backup.id)
    assert stands(place) == before
    agrees(workspace)
    the(workspace, SAMPLE[store])
    assert memory(workspace, other).status != "dismissed"
    assert memory(workspace, other).ref
    assert change.kind == "restored-backup"
    kinds = [(line.kind, line.actor) for line in workspace.journal(2)]
    assert kinds == [("pulled", "person"), ("restored-backup", "person")]
    pulled = workspace.journal(1)[0]
    assert not pulled.undoable
    assert refusal(lambda: workspace.undo(pulled.id)).message.endswith(
        "cannot be taken back: it came with a backup."
    )
    newest = workspace.backups(store)[0]
    assert told(newest) == after  # and forward again
    workspace.restore_backup(newest.id)
    assert stands(place) == after
    agrees(workspace)


def test_files_of_others_stay_and_lost_ones_come_back(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[CLAUDE]
    (place / "deep").mkdir()
    (place / "deep" / "note.md").write_text("---\nname: n\ndescription: d\ntype: user\n---\n\nDeep.\n")
    before = stands(place)
    workspace.pull()
    edit(workspace, CLAUDE)
    (backup,) = workspace.backups(CLAUDE)
    (place / "image.png").write_bytes(b"\x89PNG")
    (place / "late.md").write_text("---\nname: n\ndescription: d\ntype: user\n---\n\nLate.\n")
    shutil.rmtree(place / "deep")
    workspace.restore_backup(backup.id)
    assert stands(place) == before
    assert (place / "image.png").exists()


@pytest.mark.parametrize("store", FOREIGN)
def test_a_store_that_is_gone_comes_back(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    place = demo_workspace.places[store]
    before = contents(place)
    edit(workspace, store)
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
        if store == FOUNDER:
            place.with_name("memory.db-wal").write_bytes(b"a stray log")
    workspace.pull()
    (backup,) = workspace.backups(store)
    workspace.restore_backup(backup.id)
    if store == FOUNDER:
        assert contents(place) == before
        assert bytes_of(place).keys() == {"memory.db"}
    else:
        assert {name: data for name, (data, _) in contents(place).items()} == {
            name: data for name, (data, _) in before.items()
        }
    agrees(workspace)


def test_a_database_that_its_agent_still_has_open_is_not_put_back(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    edit(workspace, FOUNDER)
    (backup,) = workspace.backups(FOUNDER)
    with Agent(place) as agent:
        agent.do("PRAGMA journal_mode=WAL")
        agent.do("UPDATE memories SET times_used = times_used + 1")
        place.unlink()
        refused = refusal(lambda: workspace.restore_backup(backup.id))
        assert refused.code == "busy"
        assert not place.exists()
        assert place.with_name("memory.db-wal").exists()


def test_a_database_that_is_being_written_is_busy(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, FOUNDER)
    (backup,) = workspace.backups(FOUNDER)
    with Agent(demo_workspace.places[FOUNDER]) as agent:
        agent.do("BEGIN IMMEDIATE")
        refused = refusal(lambda: workspace.restore_backup(backup.id))
        assert refused.code == "busy"
        agent.do("ROLLBACK")
    workspace.restore_backup(backup.id)


def test_files_go_back_all_or_none(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = demo_workspace.places[CLAUDE]
    edit(workspace, CLAUDE)
    (backup,) = workspace.backups(CLAUDE)
    for name in ("user_ana.md", "project_orders.md", "reference_dashboards.md"):
        (place / name).write_text((place / name).read_text() + "\nMore.\n")
    now = contents(place)
    real, calls = atomic_write.change, []

    def failing(*args: object) -> None:
        calls.append(args)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_write, "change", failing)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "disk-full"
    assert contents(place) == now


def test_a_locked_or_detached_store_stays_as_it_is(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    edit(workspace, MCP)
    (backup,) = workspace.backups(MCP)
    agent_writes(demo_workspace.places[MCP], "Is allergic to nuts", "Is allergic to bees")
    now = contents(demo_workspace.places[MCP])
    workspace.lock_store(MCP, True)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "read-only"
    workspace.lock_store(MCP, False)
    workspace.detach(MCP)
    assert refusal(lambda: workspace.restore_backup(backup.id)).code == "no-store"
    assert refusal(lambda: workspace.restore_backup("19990101-000000-nothing")).code == "no-backup"
    assert contents(demo_workspace.places[MCP]) == now


def test_the_workspace_goes_back_while_another_has_it_open(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    demo_workspace.clock.now += DAY
    id = the(workspace, SAMPLE[NATIVE])
    workspace.edit([id], {"content": "Zebras are striped."})
    with demo_workspace.opened() as other:
        backup = workspace.backups(NATIVE)[0]
        workspace.restore_backup(backup.id)
        assert "staging host" in memory(other, id).content
        assert other.journal(1)[0].kind == "restored-backup"
        edit(other, NATIVE)
    assert len(workspace.backups(NATIVE)) >= 2
    agrees(workspace)


def test_a_backup_of_an_older_workspace_is_not_put_into_this_one(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    demo_workspace.clock.now += DAY
    edit(workspace, NATIVE)
    backup = workspace.backups(NATIVE)[0]
    agent_sets(Path(backup.path), "PRAGMA user_version = 1")
    refused = refusal(lambda: workspace.restore_backup(backup.id))
    assert refused.code == "older"
    assert "--workspace" in refused.hint


# -- before a migration


def schema(path: Path) -> list[object]:
    """What a workspace is made of, and the one row in it."""
    connection = apsw.Connection(str(path))
    try:
        made = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()
        return [
            connection.pragma("user_version"),
            made,
            connection.execute("SELECT * FROM stores").fetchall(),
        ]
    finally:
        connection.close()


def older(path: Path) -> Path:
    """A workspace as the schema before the latest made it."""
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


def test_a_migration_is_preceded_by_a_copy_that_was_checked(tmp_path: Path) -> None:
    path = older(tmp_path / "w.db")
    before = schema(path)
    workspace = Workspace.open(path)
    (backup,) = workspace.backups()
    workspace.close()
    assert stat.S_IMODE(Path(backup.path).stat().st_mode) == 0o600
    assert schema(Path(backup.path)) == before
    Workspace.open(path).close()
    assert len(list((tmp_path / "w.db.backups").glob("*.db"))) == 1


def test_without_a_copy_there_is_no_migration(tmp_path: Path) -> None:
    path = older(tmp_path / "w.db")
    (tmp_path / "w.db.backups").write_text("no folder")
    before = schema(path)
    refused = refusal(lambda: Workspace.open(path))
    assert refused.code == "backup"
    assert schema(path) == before
    (tmp_path / "w.db.backups").unlink()
    Workspace.open(path).close()


def test_a_new_workspace_needs_no_copy(tmp_path: Path) -> None:
    Workspace.open(tmp_path / "w.db").close()
    assert not (tmp_path / "w.db.backups").exists()


def test_what_no_outcome_was_written_for_says_why(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    shutil.rmtree(shelf(demo_workspace), ignore_errors=True)
    shelf(demo_workspace).write_text("no folder")
    refusal(lambda: edit(workspace, MCP))
    ((state, why),) = outcome(workspace, workspace.journal(1)[0].id)
    assert state == "refused"
    assert "backup" in why


# -- beside agents that never rest, copies that are broken, and a memtui that ends


@dataclass
class Between:
    """A copy under way, by another step."""

    work: Any
    step: Callable[[int], bool]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.work, name)


def test_a_copy_is_made_beside_an_agent_that_writes_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        founder_os.MEMORIES[0] | {"id": str(n), "key": str(n), "embedding": "x" * 20_000} for n in range(120)
    ]
    place = founder_os.make(tmp_path / "memory.db", rows, adaptations=(), journal="delete")
    copy = tmp_path / "copy.db"
    copy.touch()
    agent, source = apsw.Connection(str(place)), apsw.Connection(str(place))
    steps = 0

    class Beside(apsw.Connection):
        """Copies while the agent writes before each step."""

        @contextmanager
        def backup(self, *of: Any) -> Iterator[Any]:  # type: ignore[override]
            with super().backup(*of) as work:

                def step(pages: int) -> bool:
                    nonlocal steps
                    steps += 1
                    agent.execute("BEGIN EXCLUSIVE")
                    agent.execute("UPDATE memories SET times_used = times_used + 1")
                    return work.step(pages)

                yield Between(work, step)

    def waits(already: int) -> bool:
        """As a time-out does: it gives up after so many waits since the last statement."""
        if already % 3 == 2 and agent.in_transaction:
            agent.execute("COMMIT")
        return already < 6

    source.set_busy_handler(waits)
    monkeypatch.setattr(apsw, "Connection", Beside)
    monkeypatch.setattr(connection, "STEP", 200)
    connection.copy_database(source, copy)
    monkeypatch.undo()
    assert steps > 4
    agent.close()
    source.close()
    assert len(rows_in(copy)["memories"]) == 120


@pytest.mark.parametrize("store", [CLAUDE, MCP])
@pytest.mark.parametrize("fault", ["a bit in a head", "cut at a head", "cut in a file", "the end is gone"])
def test_a_copy_that_lost_a_part_is_not_put_back(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str, fault: str
) -> None:
    edit(workspace, store)
    (backup,) = workspace.backups(store)
    path, now = Path(backup.path), contents(demo_workspace.places[store])
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
    assert contents(demo_workspace.places[store]) == now
    assert workspace.journal()[0].kind != "restored-backup"


def test_a_restore_ends_though_memtui_is_ending(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """What it brought back is the person's doing, and no news of an agent."""
    workspace.looked()
    edit(workspace, CLAUDE)
    workspace.redo()
    (backup,) = workspace.backups(CLAUDE)
    workspace.end()
    assert workspace.restore_backup(backup.id).summary.endswith("1 changed")
    workspace.close()
    with demo_workspace.opened() as again:
        assert again.pull().total == 0
        assert again.since().items == []
        assert [(line.kind, line.actor) for line in again.journal(2)] == [
            ("pulled", "person"),
            ("restored-backup", "person"),
        ]
        agrees(again)
