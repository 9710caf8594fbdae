"""Faults 1 to 21: the workspace's file, its disk, its schema and those of stores that are databases."""

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
from tests.support.corruption import flip_row, pages, spoil
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    agent_sets,
    agrees,
    copied,
    everything,
    files_under,
    memory,
    refusal,
    rows,
    the,
    words_agree,
)
from tests.support.kills.kill_harness import KillHarness
from tests.support.older_workspace import older
from tests.support.os_faults import NOBODY, child, disk, fill, limit_files, only_readable
from tests.support.stores import Agent, bytes_of


def test_fault_01_kill_in_the_middle_of_a_write(demo_workspace: DemoWorkspace) -> None:
    """Nothing acknowledged is lost; rows, words and journal agree (hundreds more: test_crash)."""
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    before = everything(demo_workspace.folder)
    kill_harness = KillHarness()
    end = {"kind": "step", "at": 1, "after": True, "early": False}
    assert kill_harness.run(demo_workspace.path, ["edit", [id], {"content": "Zebra."}], end)["killed"]
    kill_harness.close()
    with demo_workspace.opened() as workspace:
        assert workspace.reconciled[0].startswith("Finished after an interruption: Edited 1 memory")
        assert memory(workspace, id).content == "Zebra."
        agrees(workspace)
        workspace.undo()
        assert everything(demo_workspace.folder) == before


def test_fault_03_an_sqlite_without_the_fix(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor fails and prints the version; the linked one is a safe one."""
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= workspace_checks.SAFE
    assert cli("doctor").code == 0
    monkeypatch.setattr(workspace_checks, "SAFE", (99, 0, 0))
    ran = cli("doctor")
    assert ran.code == 1
    assert f"SQLite {apsw.sqlite_lib_version()} is linked" in ran.out


def test_fault_04_no_vec0(
    demo_workspace: DemoWorkspace, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Rows and words work; that meaning is off is said."""
    (tmp_path / "vec0.so").write_bytes(b"no library")
    monkeypatch.setattr(database, "_vec0", lambda: str(tmp_path / "vec0"))
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
        workspace.edit([id], {"content": "Zebra."})
        assert list(workspace.search("zebra").ids) == [id]
        workspace.undo()
        agrees(workspace)
        (told,) = [each for each in workspace.doctor() if each.code == "no-meaning"]
        assert "words and everything else work" in told.meaning
    assert "sqlite-vec cannot be loaded" in cli("doctor").out


@pytest.mark.parametrize("where", ["workspace", FOUNDER])
def test_fault_05_a_lock_that_is_held(
    demo_workspace: DemoWorkspace, workspace: Workspace, where: str
) -> None:
    """Tried to the deadline, then "busy, not saved"; reads go on; never called corruption."""
    native = where == "workspace"
    id = the(workspace, SAMPLE[NATIVE if native else FOUNDER])
    before = rows(workspace)
    workspace._ctx.db.connection().set_busy_timeout(50)  # not five seconds, for once
    with Agent(demo_workspace.path if native else demo_workspace.places[FOUNDER]) as other:
        other.do("BEGIN IMMEDIATE")
        told = refusal(lambda: workspace.edit([id], {"content": "Zebra."}))
        assert told.code == "busy"
        assert "damage" not in f"{told.message} {told.hint}".lower()
        assert workspace.search(SAMPLE[FOUNDER]).ids
        assert rows(workspace) == before
        other.do("ROLLBACK")
    workspace.edit([id], {"content": "Zebra."})
    assert memory(workspace, id).content == "Zebra."


def test_fault_06_a_read_never_becomes_a_write(demo_workspace: DemoWorkspace) -> None:
    """Every transaction that writes says so when it begins: an upgrade is refused at once when busy."""
    bad: list[str] = []
    reading: set[int] = set()  # connections in a transaction that did not say that it would write

    def traced(event: dict[str, Any]) -> None:
        sql = str(event["sql"]).strip().rstrip(";").upper()
        word, mark = sql.split(maxsplit=1)[0], id(event["connection"])
        if word == "BEGIN":
            (reading.discard if "IMMEDIATE" in sql else reading.add)(mark)
        elif word in ("COMMIT", "END", "ROLLBACK") and " TO " not in sql:
            reading.discard(mark)
        elif word in ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP") and mark in reading:
            bad.append(sql)

    def hook(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, traced)

    apsw.connection_hooks.append(hook)
    try:
        with demo_workspace.opened() as workspace:
            demo_workspace.clock.now += 86_400
            for store in STORES:
                ids = [the(workspace, SAMPLE[store])]
                workspace.edit(ids, {"content": "Zebra."})
                workspace.confirm(ids)
                workspace.dismiss(ids)
                workspace.restore(ids)
                workspace.undo()
            workspace.add({"content": "One more."})
            workspace.pull()
            workspace.mend(workspace.doctor())
            workspace.purge([the(workspace, "One more")])
            workspace.restore_backup(workspace.backups(FOUNDER)[0].id)
    finally:
        apsw.connection_hooks.remove(hook)
    assert bad == []


def test_fault_07_disk_full(template: DemoWorkspace, tmp_path: Path) -> None:
    """Rolled back and told; with room again, all goes on. Where no disk can be mounted, a limit on
    the size of files stands in for it."""
    program = """
        path, limit = Path(sys.argv[1]), sys.argv[2] == "limit"
        workspace = Workspace.open(path)
        ids = [workspace.search(words, live=False).ids[0] for words in sys.argv[3:]]
        workspace.pin(ids); workspace.undo()  # the day's backups are made
        workspace._ctx.db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        before = workspace.memories(ids)
        if limit:
            from tests.support.os_faults import limit_files
            limit_files(1 << 14)
        else:
            from tests.support.os_faults import fill
            ballast = fill(Path(sys.argv[2]))
        for id in ids:
            told.append(refused(lambda: workspace.edit([id], {"content": "Zebra. " * 3000})))
        assert workspace.memories(ids) == before
        assert len(workspace.search("", live=False).ids) > 30
        if limit:
            limit_files()
        else:
            ballast.unlink()
        assert workspace.memories(ids) == before
        for id in ids:
            told.append(refused(lambda: workspace.edit([id], {"content": "Zebra. " * 3000})))
            workspace.undo()
        assert workspace.memories(ids) == before
        assert workspace.pull().total == 0
        workspace.close()
    """
    with disk(tmp_path / "disk", "10m") as small:
        home = (small or tmp_path / "disk") / "home"
        demo_workspace = copied(template, home)
        before = everything(demo_workspace.folder)
        words = [SAMPLE[store] for store in STORES]
        told = child(program, demo_workspace.path, small or "limit", *words)
        full, after = told[: len(STORES)], told[len(STORES) :]
        assert {code for code, _ in full} == {"disk-full" if small else "io"}, full
        assert [code for code, _ in after] == ["done"] * len(STORES), after
        with demo_workspace.opened() as workspace:
            agrees(workspace)
            assert workspace._ctx.db.one("PRAGMA integrity_check") == "ok"
        assert everything(demo_workspace.folder) == before


def test_fault_07_disk_full_keeps_the_draft(template: DemoWorkspace, tmp_path: Path) -> None:
    with disk(tmp_path / "disk", "10m") as small:
        demo_workspace = copied(template, (small or tmp_path / "disk") / "home")
        with demo_workspace.opened() as workspace:
            workspace.confirm([the(workspace, SAMPLE[NATIVE])])
            workspace.undo()
        app = MemtuiApp(demo_workspace.open, clock=demo_workspace.clock)
        keys = ["/", *typed("staging host"), "down", "e", *typed("Zebra " * 3)]
        try:
            seen = drive(app, *keys, lambda _: fill(small) if small else limit_files(1 << 14), "ctrl+s")
        finally:
            limit_files()
        assert "Zebra Zebra Zebra" in seen
        assert ("disk is full" if small else "disk I/O error") in seen


def test_fault_08_a_read_only_file(demo_workspace: DemoWorkspace) -> None:
    """Another user may read the workspace, not write it: everything is shown, changes are refused."""
    before = demo_workspace.path.read_bytes()
    with only_readable(demo_workspace.folder):
        told = child(
            """
            workspace = Workspace.open(Path(sys.argv[1]))
            (id,) = workspace.search(sys.argv[2]).ids
            told += [workspace.read_only, workspace.stores()[0].read_only]
            told.append(refused(lambda: workspace.pin([id])))
            told.append(refused(lambda: workspace.add({"content": "No."})))
            """,
            demo_workspace.path,
            SAMPLE[MCP],
            nobody=True,
        )
    assert told[0] is True
    assert "may not be written by this user" in told[1]
    assert [each[0] for each in told[2:]] == ["read-only", "read-only"]
    assert demo_workspace.path.read_bytes() == before


def test_fault_09_a_wal_database_in_a_read_only_folder(demo_workspace: DemoWorkspace, tmp_path: Path) -> None:
    """Read from a copy with its log; nothing appears beside it."""
    place = demo_workspace.places[FOUNDER]
    agent = Agent(place)
    agent.do("UPDATE memories SET content = 'Only in the log.' WHERE key = 'offer-currency'")
    agent.kill()
    (tmp_path / "mine").mkdir()
    if os.geteuid() == 0:
        os.chown(tmp_path / "mine", NOBODY, NOBODY)
    before = bytes_of(place)
    with only_readable(place.parent):
        told = child(
            """
            workspace = Workspace.open(Path(sys.argv[1]) / "w.db")
            workspace.attach(sys.argv[2])
            told += [len(workspace.search("only log").ids), workspace.stores()[1].read_only]
            """,
            tmp_path / "mine",
            place,
            nobody=True,
        )
    assert told[0] == 1
    assert "may not be written by this user" in told[1]
    assert bytes_of(place) == before


@pytest.mark.parametrize("log", [False, True])
def test_fault_09_a_workspace_in_a_read_only_folder(demo_workspace: DemoWorkspace, log: bool) -> None:
    with demo_workspace.opened() as workspace:
        workspace.add({"content": "Zebra."})
    if log:
        agent = Agent(demo_workspace.path)
        agent.do("UPDATE stores SET error = 'only in the log' WHERE id = 2")
        agent.kill()
    before = files_under(demo_workspace.path.parent)
    with only_readable(demo_workspace.folder):
        told = child(
            """
            workspace = Workspace.open(Path(sys.argv[1]))
            told += [workspace.read_only, len(workspace.search("zebra").ids), workspace.stores()[1].error]
            """,
            demo_workspace.path,
            nobody=True,
        )
    assert told == [True, 1, "only in the log" if log else ""]
    assert files_under(demo_workspace.path.parent) == before


@pytest.mark.parametrize("kind", ["text", "truncated", "empty", "a folder"])
def test_fault_10_not_a_database(demo_workspace: DemoWorkspace, cli: Cli, tmp_path: Path, kind: str) -> None:
    """A clear error; the bytes are untouched. As a workspace and as a store."""
    whole = demo_workspace.path.read_bytes()
    path = tmp_path / "thing.db"
    if kind == "a folder":
        path.mkdir()
    else:
        path.write_bytes({"text": b"hello\n" * 900, "truncated": whole[:9000], "empty": b""}[kind])
    for words in (["--workspace", str(path), "list"], ["stores", "attach", str(path)]):
        if kind in ("empty", "a folder") and words[0] == "--workspace":
            continue  # there, a new workspace is made
        before = None if path.is_dir() else path.read_bytes()
        ran = cli("--json", *words)
        assert ran.code != 0
        assert ran.error["message"]
        assert str(path.name) in ran.error["message"]
        assert path.is_dir() or path.read_bytes() == before


def test_fault_11_a_cut_header_is_no_new_store(demo_workspace: DemoWorkspace) -> None:
    demo_workspace.path.write_bytes(demo_workspace.path.read_bytes()[:50])
    told = refusal(demo_workspace.open)
    assert told.code in ("damaged", "not-a-workspace")
    assert demo_workspace.path.stat().st_size == 50
    place = demo_workspace.places[FOUNDER]
    place.write_bytes(place.read_bytes()[:50])
    workspace = Workspace.open(demo_workspace.folder / "other.db")
    assert refusal(lambda: workspace.attach(place)).message
    assert place.stat().st_size == 50
    workspace.close()


def test_fault_12_a_bad_page(demo_workspace: DemoWorkspace, cli: Cli, tmp_path: Path) -> None:
    """Found on opening, read-only, and what can be read is saved to a new file."""
    spoil(demo_workspace.path, pages(demo_workspace.path, "journal")[0])
    before = demo_workspace.path.read_bytes()
    with demo_workspace.opened() as workspace:
        assert workspace.read_only
        told = refusal(lambda: workspace.add({"content": "No."}))
        assert "memtui doctor --salvage NEW" in told.message
    ran = cli("doctor", "--salvage", str(tmp_path / "saved.db"))
    assert ran.code == 0, ran.err
    assert demo_workspace.path.read_bytes() == before
    saved = Workspace.open(tmp_path / "saved.db")
    assert saved.search(SAMPLE[NATIVE]).ids
    assert not saved.read_only
    saved.close()


def test_fault_13_a_flipped_byte(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Each row has a mark of its texts: SQLite's own check sees nothing."""
    flip_row(demo_workspace.path, "Is allergic to nuts", "Is allergic to nXts")
    connection = apsw.Connection(str(demo_workspace.path))
    assert connection.pragma("integrity_check") == "ok"
    connection.close()
    ran = cli("doctor")
    assert ran.code == 1
    assert "a byte was changed on the disk" in ran.out
    cli("doctor", "--fix")
    with demo_workspace.opened() as workspace:
        workspace.pull()
        assert the(workspace, SAMPLE[MCP])
        agrees(workspace)


def test_fault_14_a_words_index_that_drifted(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    with demo_workspace.opened() as workspace:
        workspace._ctx.db.run("DELETE FROM words_docsize WHERE id = 3")
    ran = cli("doctor", "--fix")
    assert "Made the words index anew from the memories." in ran.out
    with demo_workspace.opened() as workspace:
        words_agree(workspace)
        assert not workspace.read_only


def test_fault_16_a_newer_schema_is_only_read(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    connection = apsw.Connection(str(demo_workspace.path))
    connection.pragma("user_version", migrations.latest() + 1)
    connection.close()
    before = demo_workspace.path.read_bytes()
    uid = cli.uid(SAMPLE[MCP])
    ran = cli("--json", "pin", uid)
    assert ran.error["code"] == "read-only"
    assert "newer memtui" in ran.error["message"]
    assert demo_workspace.path.read_bytes() == before


@pytest.mark.parametrize("possible", [True, False])
def test_fault_17_a_migration_has_a_verified_backup_or_is_none(
    demo_workspace: DemoWorkspace, possible: bool
) -> None:
    older(demo_workspace.path)
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    shutil.rmtree(folder, ignore_errors=True)
    if not possible:
        folder.write_text("A file is in the way.")
        before = demo_workspace.path.read_bytes()
        told = refusal(demo_workspace.open)
        assert told.code == "backup"
        assert demo_workspace.path.read_bytes() == before
        return
    with demo_workspace.opened() as workspace:
        (backup,) = workspace.backups()
        backup_copy.verify(Path(backup.path))
        with backup_copy.closed(Path(backup.path)) as copy:
            assert int(copy.pragma("user_version")) == migrations.latest() - 1
        agrees(workspace)


def test_fault_18_backups_are_for_their_owner_only(demo_workspace: DemoWorkspace) -> None:
    mask = os.umask(0)
    try:
        with demo_workspace.opened() as workspace:
            demo_workspace.clock.now += 86_400
            workspace.dismiss([the(workspace, SAMPLE[store]) for store in STORES])
            made = [Path(backup.path) for backup in workspace.backups()]
    finally:
        os.umask(mask)
    assert len(made) >= len(STORES)
    assert {stat.S_IMODE(file.stat().st_mode) for file in made} == {0o600}
    assert stat.S_IMODE(made[0].parent.stat().st_mode) == 0o700


def test_fault_19_a_stray_log_beside_what_is_restored(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """It belongs to the database that is gone: played into the new one, it would ruin it."""
    demo_workspace.clock.now += 86_400
    place = demo_workspace.places[FOUNDER]
    before = everything(demo_workspace.folder)[FOUNDER]
    workspace.edit([the(workspace, SAMPLE[FOUNDER])], {"content": "Zebra."})
    agent = Agent(place)
    agent.do("UPDATE memories SET content = 'Only in the log.'")
    agent.kill()
    place.unlink()
    assert place.with_name("memory.db-wal").stat().st_size > 0
    workspace.restore_backup(workspace.backups(FOUNDER)[0].id)
    assert everything(demo_workspace.folder)[FOUNDER] == before
    assert bytes_of(place).keys() == {"memory.db"}
    agrees(workspace)


@pytest.mark.parametrize("how", ["deleted", "swapped"])
def test_fault_20_the_workspace_is_gone_while_open(
    demo_workspace: DemoWorkspace, workspace: Workspace, how: str
) -> None:
    """Noticed before the write: SQLite would write into the void."""
    id = the(workspace, SAMPLE[NATIVE])
    away = demo_workspace.path.with_name("away.db")
    demo_workspace.path.rename(away)
    if how == "swapped":
        shutil.copy(away, demo_workspace.path)
    other = demo_workspace.path.read_bytes() if how == "swapped" else b""
    told = refusal(lambda: workspace.pin([id]))
    assert told.code == "moved"
    assert not memory(workspace, id).pinned
    assert how == "deleted" or demo_workspace.path.read_bytes() == other


def test_fault_20_a_store_that_is_swapped_at_the_last_moment(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[FOUNDER]
    id = the(workspace, SAMPLE[FOUNDER])
    twin = place.with_name("twin.db")
    shutil.copy(place, twin)
    agent_sets(twin, "UPDATE memories SET content = 'Said by another file.' WHERE key = 'offer-currency'")
    before = bytes_of(twin)["twin.db"]

    def swap(name: str) -> None:
        if name == "before the foreign write":
            twin.rename(place)

    workspace._ctx.on_step = swap
    assert refusal(lambda: workspace.edit([id], {"content": "Zebra."})).code in ("conflict", "changed")
    workspace._ctx.on_step = lambda name: None
    assert bytes_of(place)["memory.db"] == before
    workspace.pull()
    agrees(workspace)


def test_fault_21_a_hard_link_is_not_written(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Each name would have a log of its own: the store, and the workspace, are only read."""
    place = demo_workspace.places[FOUNDER]
    with demo_workspace.opened() as workspace:
        os.link(place, place.with_name("second.db"))
        id, before = the(workspace, SAMPLE[FOUNDER]), bytes_of(place)
        told = refusal(lambda: workspace.edit([id], {"content": "Zebra."}))
        assert told.code == "read-only"
        assert "hard link" in told.message
        assert bytes_of(place) == before
    os.link(demo_workspace.path, demo_workspace.path.with_name("second.db"))
    for name in (demo_workspace.path, demo_workspace.path.with_name("second.db")):
        database = demo_workspace.path.read_bytes()
        ran = cli("--json", "--workspace", str(name), "add", "Zebra.")
        assert ran.error["code"] == "read-only"
        assert "hard link" in ran.error["message"]
        assert demo_workspace.path.read_bytes() == database
    demo_workspace.path.with_name("second.db").unlink()
    assert cli("add", "Zebra.").code == 0


def test_fault_21_a_file_of_a_folder_with_two_names(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    place = demo_workspace.places[CLAUDE] / "feedback_tests.md"
    os.link(place, place.with_name("second.txt"))
    workspace.pull()
    before = place.read_bytes()
    told = refusal(lambda: workspace.edit([the(workspace, SAMPLE[CLAUDE])], {"content": "Zebra."}))
    assert "hard link" in told.message
    assert place.read_bytes() == before
