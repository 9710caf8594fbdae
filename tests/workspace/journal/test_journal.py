"""The journal: append-only, complete, and without the texts (S-50)."""

from __future__ import annotations

from collections.abc import Callable

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
    memory,
    rows,
    the,
)

TABLES = ("journal", "journal_items")


@pytest.mark.parametrize("table", TABLES)
def test_no_line_is_ever_changed_or_taken_away(workspace: Workspace, table: str) -> None:
    workspace.edit([the(workspace, SAMPLE[MCP])], {"content": "Is allergic to zebras"})
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


def test_lines_hold_digests_and_the_texts_lie_where_they_can_be_erased(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """No word of a memory in what can never be taken away, whatever the change."""
    secret = "Xylophone"
    (native,) = workspace.add({"content": f"{secret} one", "title": f"{secret} two", "tags": (secret,)}).ids
    workspace.add({"content": f"{secret} in a file"}, STORES[2])
    workspace.add({"content": f"{secret} in a row", "key": secret.lower()}, FOUNDER)
    workspace.add({"content": f"{secret} in a line", "subject": "Bo Janssen"}, MCP)
    for store in (FOUNDER, MCP):
        workspace.edit([the(workspace, SAMPLE[store])], {"content": f"{secret} at work"})
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
def test_each_action_is_one_line(workspace: Workspace, store: str) -> None:
    id = the(workspace, SAMPLE[store])
    kinds = [event.kind for event in detail_of(workspace, id).history]
    acts: tuple[tuple[Callable[[], Change], str], ...] = (
        (lambda: workspace.pin([id]), "pinned"),
        (lambda: workspace.unpin([id]), "unpinned"),
        (lambda: workspace.confirm([id]), "confirmed"),
        (lambda: workspace.edit([id], {"content": "Zebra."}), "edited"),
        (lambda: workspace.dismiss([id]), "dismissed"),
        (lambda: workspace.restore([id]), "restored"),
        (workspace.undo, "undone"),
        (workspace.redo, "redone"),
    )
    for act, kind in acts:
        count = len(workspace.journal())
        change = act()
        (event,) = workspace.journal()[:-count]
        assert (event.id, event.kind, event.actor, event.state) == (change.journal_id, kind, "person", "done")
        assert event.count == 1
        assert event.store == store
        assert change.summary.startswith(event.summary)
        kinds.append(kind)
    assert [event.kind for event in detail_of(workspace, id).history] == kinds[::-1]


def test_a_long_journal_is_read_page_by_page(workspace: Workspace) -> None:
    id = the(workspace, SAMPLE[NATIVE])
    for _ in range(6):
        workspace.pin([id])
        workspace.unpin([id])
    everything = workspace.journal()
    first = workspace.journal(5)
    assert first == everything[:5]
    assert workspace.journal(5, before=first[-1].id) == everything[5:10]
    assert [event.id for event in everything] == sorted((event.id for event in everything), reverse=True)


def test_a_refused_addition_leaves_no_row_and_its_number_is_not_given_again(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The journal remembers rows by number: a later memory must not inherit a line."""
    before = rows(workspace, removed=True)
    place = demo_workspace.places[MCP]
    stop: dict[str, Callable[[], object]] = {
        "before the foreign write": lambda: place.rename(demo_workspace.folder / "away")
    }

    def on_step(name: str) -> None:
        stop.pop(name, lambda: None)()

    workspace._ctx.on_step = on_step
    with pytest.raises(Exception, match=r"memory\.jsonl|No such file"):
        workspace.add({"content": "A zebra.", "subject": "Bo Janssen"}, MCP)
    (demo_workspace.folder / "away").rename(place)
    assert workspace.journal()[0].state == "refused"
    assert rows(workspace, removed=True) == before
    (id,) = workspace.add({"content": "Another one."}).ids
    assert [event.kind for event in detail_of(workspace, id).history] == ["added"]
    assert memory(workspace, id).content == "Another one."
