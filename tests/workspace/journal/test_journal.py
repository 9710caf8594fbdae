"""The journal is append-only and complete, and its append-only tables hold no texts (S-50)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    STORES,
    DemoWorkspace,
    detail_of,
    find_id,
    memory,
    rows,
)

TABLES = ("journal", "journal_items")


@pytest.mark.parametrize("table", TABLES)
def test_the_journal_is_append_only(workspace: Workspace, table: str) -> None:
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "Is allergic to zebras"})
    connection = workspace._ctx.db.connection()
    before = connection.execute(f"SELECT * FROM {table}").fetchall()
    assert before
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    for statement in (
        f"UPDATE {table} SET {names[1]} = {names[1]}",
        f"DELETE FROM {table}",
        f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
        f"REPLACE INTO {table} ({', '.join(names)}) SELECT {', '.join(names)} FROM {table} LIMIT 1",
    ):
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            connection.execute(statement)
    assert connection.execute(f"SELECT * FROM {table}").fetchall() == before


def test_append_only_tables_hold_no_texts(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Texts are kept only in `bodies`, from which a purge can erase them."""
    secret = "Xylophone"
    (native,) = workspace.add({"content": f"{secret} one", "title": f"{secret} two", "tags": (secret,)}).ids
    workspace.add({"content": f"{secret} in a file"}, STORES[2])
    workspace.add({"content": f"{secret} in a row", "key": secret.lower()}, FOUNDER)
    workspace.add({"content": f"{secret} in a line", "subject": "Bo Janssen"}, MCP)
    for store in (FOUNDER, MCP):
        workspace.edit([find_id(workspace, SAMPLE[store])], {"content": f"{secret} at work"})
    workspace.pin([native], f"{secret} is why")
    workspace.dismiss([native])
    for _ in range(3):
        workspace.undo()
    workspace.redo()
    db = workspace._ctx.db
    for table in TABLES:
        for row in db.rows(f"SELECT * FROM {table}"):
            assert secret.lower() not in str(row).lower(), row
    assert db.one("SELECT count(*) FROM bodies WHERE after LIKE '%Xylophone%'")


@pytest.mark.parametrize("store", STORES)
def test_each_action_is_one_entry(workspace: Workspace, store: str) -> None:
    id = find_id(workspace, SAMPLE[store])
    kinds = [event.kind for event in detail_of(workspace, id).history]
    actions: tuple[tuple[Callable[[], Change], str], ...] = (
        (lambda: workspace.pin([id]), "pinned"),
        (lambda: workspace.unpin([id]), "unpinned"),
        (lambda: workspace.confirm([id]), "confirmed"),
        (lambda: workspace.edit([id], {"content": "Zebra."}), "edited"),
        (lambda: workspace.dismiss([id]), "dismissed"),
        (lambda: workspace.restore([id]), "restored"),
        (workspace.undo, "undone"),
        (workspace.redo, "redone"),
    )
    for action, kind in actions:
        count = len(workspace.journal())
        change = action()
        (event,) = workspace.journal()[:-count]
        assert (event.id, event.kind, event.actor, event.state) == (change.journal_id, kind, "person", "done")
        assert event.count == 1
        assert event.store == store
        assert change.summary.startswith(event.summary)
        kinds.append(kind)
    assert [event.kind for event in detail_of(workspace, id).history] == kinds[::-1]


def test_a_long_journal_is_read_in_pages(workspace: Workspace) -> None:
    id = find_id(workspace, SAMPLE[NATIVE])
    for _ in range(6):
        workspace.pin([id])
        workspace.unpin([id])
    entries = workspace.journal()
    first = workspace.journal(5)
    assert first == entries[:5]
    assert workspace.journal(5, before=first[-1].id) == entries[5:10]
    assert [event.id for event in entries] == sorted((event.id for event in entries), reverse=True)


def test_the_id_of_a_refused_addition_is_not_reused(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The journal refers to memories by id: a later memory must not inherit an entry."""
    before = rows(workspace, removed=True)
    path = demo_workspace.store_paths[MCP]
    steps: dict[str, Callable[[], object]] = {
        "before the foreign write": lambda: path.rename(demo_workspace.folder / "away")
    }

    def on_step(name: str) -> None:
        steps.pop(name, lambda: None)()

    workspace._ctx.on_step = on_step
    with pytest.raises(Exception, match=r"memory\.jsonl|no such file"):
        workspace.add({"content": "A zebra.", "subject": "Bo Janssen"}, MCP)
    (demo_workspace.folder / "away").rename(path)
    assert workspace.journal()[0].state == "refused"
    assert rows(workspace, removed=True) == before
    (id,) = workspace.add({"content": "Another one."}).ids
    assert [event.kind for event in detail_of(workspace, id).history] == ["added"]
    assert memory(workspace, id).content == "Another one."


def test_an_entry_names_the_entity_that_all_its_memories_share(tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        ids = [
            workspace.add({"content": f"fact {n}", "subject": subject}).ids[0]
            for n, subject in enumerate(("Ana", "Ana", "Bo", None))
        ]
        for chosen in (ids[:2], ids[:3], [ids[0], ids[3]], ids[:1]):
            workspace.pin(chosen)
            workspace.unpin(chosen)
        found = [each.entity for each in workspace.journal() if each.kind == "pinned"]
        assert found == ["", "", "", "Ana"]
