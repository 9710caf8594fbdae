"""kill -9 during pulls, attaching, purges, backups, restores and migrations: the next start recovers, and a
repetition completes the work (S-6, S-7, S-93)."""

from __future__ import annotations

import random
import shutil
import tarfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.formats import backup_copy
from memtui.workspace.db import migrations
from memtui.workspace.workspace import Workspace
from tests.durability.test_kills import leftovers
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
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    contents,
    copy_demo_workspace,
    files_under,
    find_id,
    memory,
)
from tests.support.kills.kill_harness import EXIT_REFUSED, KillHarness, random_kill
from tests.support.older_workspace import RENAMED, downgrade
from tests.support.sizes import log_rounds, rounds
from tests.support.stores import claude_code, founder_os, mcp_memory

KINDS = ("pull", "attach", "purge", "backup", "restore", "migration")
Check = Callable[[Workspace], None]


@pytest.mark.kills
@pytest.mark.parametrize("kind", KINDS)
def test_killed_long_work_can_be_completed(
    template: DemoWorkspace, tmp_path: Path, kill_harness: KillHarness, kind: str
) -> None:
    chance = random.Random(f"longer {kind}")
    count = rounds(2, 75)
    killed = 0
    for number in range(count):
        demo_workspace = copy_demo_workspace(template, tmp_path / f"demo-{number}")
        with demo_workspace.opened() as workspace:
            sample = find_id(workspace, SAMPLE[NATIVE])
            workspace.edit([sample], {"title": "Before it all"})
        call, bounds, check = _WORK[kind](demo_workspace, chance)
        kill = random_kill(chance, bounds) | {"chunk": chance.choice([1, 2, 7])}
        if kind == "migration":
            kill["early"] = True
        result = kill_harness.run(demo_workspace.path, call, kill)
        context = (kind, number, call, kill, result)
        assert result["killed"] or result["code"] in (0, EXIT_REFUSED), context
        killed += result["killed"]
        log_rounds("kills", 1, result["killed"])
        if chance.random() < 0.3:  # and again during the recovery
            second = kill_harness.run(
                demo_workspace.path, call if kind == "pull" else [], random_kill(chance) | {"early": True}
            )
            assert second["killed"] or second["code"] == 0, context
        try:
            with demo_workspace.opened() as workspace:
                assert_consistent(demo_workspace, workspace)
                check(workspace)
                assert_consistent(demo_workspace, workspace)
                if kind != "restore" or memory(workspace, sample).title:
                    workspace.undo(_entry_that_changed(workspace, "title"))
                assert memory(workspace, sample).title is None
                assert_consistent(demo_workspace, workspace)
        except BaseException as error:
            error.add_note(repr(context))
            raise
        shutil.rmtree(demo_workspace.folder)
    assert killed > count // 5


def assert_consistent(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Check that the workspace is intact, agrees with its stores, and that nothing is left half done."""
    workspace.pull()
    assert_in_sync(workspace)
    assert_word_index_intact(workspace)
    db = workspace._ctx.db
    assert db.one("PRAGMA integrity_check") == "ok"
    assert [event.id for event in workspace.journal() if event.state == "intended"] == []
    assert db.rows("SELECT item_id FROM outbox WHERE state = 'intended'") == []
    assert (
        db.rows(
            "SELECT unit FROM memories m WHERE ref IS NOT NULL AND removed_at IS NULL AND unit <> '' "
            "AND NOT EXISTS (SELECT 1 FROM units WHERE store_id = m.store_id AND name = m.unit)"
        )
        == []
    )
    assert workspace.pull().total == 0
    entries = [event.id for event in workspace.journal()]
    workspace.pull()
    assert [event.id for event in workspace.journal()] == entries
    leases = files_under(demo_workspace.path.with_name(demo_workspace.path.name + ".leases"))
    assert leftovers(demo_workspace) <= leases


def _entry_that_changed(workspace: Workspace, field: str) -> int:
    """Return the id of the newest entry by the user that changed a field and is not undone."""
    for event in workspace.journal():
        if event.kind == "edited" and event.state == "done":
            items = workspace.journal_items(event.id)
            if any(item.after is not None and field in item.after for item in items):
                return event.id
    raise AssertionError("there is no such entry")


# -- the work that is interrupted


def _pull(demo_workspace: DemoWorkspace, chance: random.Random) -> tuple[list[Any], dict[str, int], Check]:
    """Agents changed all three stores; each change is recorded once, whatever happens in between."""
    write_as_agents(demo_workspace, chance)
    before = all_contents(demo_workspace.folder)
    with demo_workspace.opened() as workspace:
        last = workspace.journal(1)[0].id

    def check(workspace: Workspace) -> None:
        assert all_contents(demo_workspace.folder) == before
        pulled: Counter[tuple[str, str]] = Counter()
        for event in workspace.journal():
            if event.id > last and event.kind == "pulled":
                pulled.update((event.store, item.uid) for item in workspace.journal_items(event.id))
        assert set(pulled.values()) == {1}
        assert {store for store, _ in pulled} == set(FOREIGN)

    return ["pull"], {"call": 20, "sql": 220, "time": 40}, check


def write_as_agents(demo_workspace: DemoWorkspace, chance: random.Random) -> None:
    """Add, change and remove memories in each store, as agents do."""
    founder, claude, mcp = (demo_workspace.store_paths[store] for store in FOREIGN)
    for number in range(chance.randrange(2, 7)):
        row = (f"n{number}", f"new-{number}", f"A zebra, number {number}.")
        agent_executes(
            founder,
            "INSERT INTO memories (id, key, category, content, source_plugin, confidence, status) "
            "VALUES (?, ?, 'fact', ?, 'P1', 50, 'candidate')",
            *row,
        )
        text = claude_code.flat(f"Zebra {number}", "user", f"A zebra, number {number}.")
        (claude / f"zebra_{number}.md").write_text(text)
    agent_executes(founder, "UPDATE memories SET content = content || ' So.' WHERE rowid % 3 = 0")
    agent_executes(founder, "DELETE FROM memories WHERE key = 'old-warehouse'")
    user = claude / "user_ana.md"
    user.write_text(user.read_text().replace("over a coffee", "over a tea"))
    (claude / "reference_dashboards.md").unlink()
    lines = mcp.read_text().splitlines()
    more = [mcp_memory.entity(f"Zebra {n}", "Stripes", "Hooves") for n in range(chance.randrange(2, 9))]
    changed = [line.replace('"Has eleven employees",', "") for line in lines]
    mcp.write_text("\n".join([*changed, *mcp_memory.lines(*more)]))


def _attach(demo_workspace: DemoWorkspace, chance: random.Random) -> tuple[list[Any], dict[str, int], Check]:
    folder = demo_workspace.folder / "more"
    folder.mkdir()
    store = chance.choice(FOREIGN)
    if store == FOUNDER:
        memories = [dict(founder_os.MEMORIES[1]) | {"id": f"{n:032x}", "key": f"k-{n}"} for n in range(30)]
        place = founder_os.make(folder / "memory.db", memories)
    elif store == CLAUDE:
        notes = {f"n{n}.md": claude_code.flat(f"n{n}", "user", f"Note {n}, [[n{n + 1}]].") for n in range(20)}
        place = claude_code.make(folder / "memory", notes).root
    else:
        graph = [mcp_memory.entity(f"Entity {n}", "one", "two") for n in range(20)]
        place = mcp_memory.make(folder / "memory.jsonl", "\n".join(mcp_memory.lines(*graph)).encode()).root
    before = contents(place)

    def check(workspace: Workspace) -> None:
        workspace.attach(place)
        assert contents(place) == before
        attached = [event for event in workspace.journal() if event.kind == "attached"]
        assert len(attached) == len(FOREIGN) + 1
        assert not any(event.kind == "pulled" for event in workspace.journal())

    return ["attach", str(place)], {"call": 20, "sql": 150, "time": 40}, check


def _purge(demo_workspace: DemoWorkspace, chance: random.Random) -> tuple[list[Any], dict[str, int], Check]:
    store = chance.choice(STORES)
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[store]) if store != NATIVE else find_id(workspace, "keyboard alone")
        text = memory(workspace, id).content

    def check(workspace: Workspace) -> None:
        if workspace.memories([id]):
            workspace.purge([id])
        assert workspace.memories([id]) == []
        bodies = workspace._ctx.db.rows("SELECT before, after FROM bodies")
        assert not any(text in (body or "") for row in bodies for body in row)
        assert not workspace.search(f'"{text[:20]}"', live=False).ids

    return ["purge", [id]], {"step": 8, "call": 30, "sql": 160, "time": 45}, check


def _backup(demo_workspace: DemoWorkspace, chance: random.Random) -> tuple[list[Any], dict[str, int], Check]:
    """The first change of a day backs up all stores before it writes them."""
    backups = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    shutil.rmtree(backups, ignore_errors=True)
    with demo_workspace.opened() as workspace:
        ids = [find_id(workspace, SAMPLE[store]) for store in STORES]
    before = all_contents(demo_workspace.folder)

    def check(workspace: Workspace) -> None:
        states = Counter(event.state for event in workspace.journal() if event.kind == "dismissed")
        assert states.total() <= 1
        if states["done"]:
            workspace.undo(next(e.id for e in workspace.journal() if e.kind == "dismissed"))
            workspace.pull()
        assert all_contents(demo_workspace.folder) == before
        workspace.dismiss(ids)  # the day's backups are complete, or made now
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before
        assert_backups_complete(workspace, backups)
        assert {backup.store for backup in workspace.backups()} == set(STORES)

    return ["dismiss", ids], {"step": 12, "call": 60, "sql": 160, "time": 45}, check


def assert_backups_complete(workspace: Workspace, folder: Path) -> None:
    found = {Path(backup.path) for backup in workspace.backups()}
    assert found == {file for file in files_under(folder) if file.name != ".memtui-lock"}
    for copy in found:
        if copy.suffix == ".db":
            backup_copy.verify(copy)
        else:
            with tarfile.open(copy) as tar:
                assert all(tar.extractfile(member) for member in tar if member.isreg())


def _restore(demo_workspace: DemoWorkspace, chance: random.Random) -> tuple[list[Any], dict[str, int], Check]:
    store = chance.choice(STORES)
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[store])
        workspace.edit([id], {"content": "Said on the first day."})
        demo_workspace.clock.now += 86_400
        first = contents(demo_workspace.store_paths[store]) if store != NATIVE else None
        others = [each for each in workspace.search(f"store:{store}").ids if each != id]
        workspace.edit([others[0]], {"content": "Said on the second day."})
        backup = workspace.backups(store)[0].id
        workspace.edit([others[1]], {"content": "Said on the second day, too."})

    def check(workspace: Workspace) -> None:
        if backup in {each.id for each in workspace.backups()}:
            workspace.restore_backup(backup)
        assert memory(workspace, id).content == "Said on the first day."
        assert not workspace.search("second day", live=False).ids
        if first is not None:
            assert contents(demo_workspace.store_paths[store]) == first
        assert_backups_complete(
            workspace, demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
        )

    return ["restore_backup", backup], {"call": 60, "sql": 120, "time": 45}, check


def _migration(
    demo_workspace: DemoWorkspace, chance: random.Random
) -> tuple[list[Any], dict[str, int], Check]:
    """A workspace in the schema before the latest."""
    backups = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    shutil.rmtree(backups, ignore_errors=True)
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
        workspace.edit([id], {"content": "Said before the migration."})
        shutil.rmtree(backups)
    before = all_contents(demo_workspace.folder)
    downgrade(demo_workspace.path)
    texts = _texts(demo_workspace.path)

    def check(workspace: Workspace) -> None:
        assert workspace._ctx.db.one("PRAGMA user_version") == migrations.latest()
        assert _texts(demo_workspace.path, workspace._ctx.db.connection()) == texts
        assert all_contents(demo_workspace.folder) == before
        versions = {int(_version(Path(each.path))) for each in workspace.backups(NATIVE)}
        assert RENAMED - 1 in versions
        workspace.undo()
        assert find_id(workspace, SAMPLE[MCP]) == id
        workspace.pin([id])  # backups are made as usual
        workspace.undo()
        assert_backups_complete(workspace, backups)

    return [], {"call": 16, "sql": 70, "time": 25}, check


def _texts(path: Path, connection: apsw.Connection | None = None) -> list[Any]:
    """Return the columns of memories and journal entries that the old schema has."""
    reader = connection or apsw.Connection(str(path))
    try:
        memories = reader.execute(
            "SELECT uid, ref, content, title, status, pinned, digest, kept FROM memories ORDER BY id"
        ).fetchall()
        return [memories, reader.execute("SELECT id, kind, summary FROM journal").fetchall()]
    finally:
        if connection is None:
            reader.close()


def _version(copy: Path) -> int:
    with backup_copy.open_copy(copy) as connection:
        return int(connection.pragma("user_version"))


_WORK: dict[str, Callable[[DemoWorkspace, random.Random], tuple[list[Any], dict[str, int], Check]]] = {
    "pull": _pull,
    "attach": _attach,
    "purge": _purge,
    "backup": _backup,
    "restore": _restore,
    "migration": _migration,
}
