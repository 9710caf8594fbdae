"""Listing and counting the pairs of the queue (S-42)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.workspace.workspace import Workspace
from tests.support.older_workspace import downgrade
from tests.support.stores import minions


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "workspace.db")
    for text in (
        "Invoices of Brightwater are paid net 30.",
        "Invoices of Brightwater are never paid net 30.",
    ):
        workspace.add({"content": text, "subject": "Brightwater"})
    for _ in range(2):
        workspace.add({"content": "The office cat is called Mimi."})
    workspace.scan()
    yield workspace
    workspace.close()


def test_labels_start_with_the_subject(workspace: Workspace) -> None:
    (pair,) = workspace.pairs(family=CONTRADICTION)
    assert pair.labels == (
        "Brightwater: Invoices of Brightwater are paid net 30.",
        "Brightwater: Invoices of Brightwater are never paid net 30.",
    )


def test_contradictions_and_duplicates_are_counted_separately(workspace: Workspace) -> None:
    queue = workspace.queue_counts()
    assert (queue.open, queue.contradictions, queue.duplicates) == (2, 1, 1)


def test_an_older_workspace_reads_side_records_again(tmp_path: Path) -> None:
    settled = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2), "resolution": "keep-a"}
    contradiction = minions.minion(201, "contradiction", settled)
    facts = [
        minions.item(number, "tea", f"Tea is {adjective}.") for number, adjective in ((1, "good"), (2, "bad"))
    ]
    store_path, path = (
        minions.make(tmp_path / "m", *facts, contradiction).root,
        tmp_path / "w" / "workspace.db",
    )
    sql = "SELECT other, settled FROM side_records ORDER BY other"
    with closing(Workspace.open(path)) as workspace:
        workspace.attach(store_path)
        side_records = workspace._ctx.db.rows(sql)
        assert len(side_records) == 2
    downgrade(path, before=12)
    with closing(Workspace.open(path)) as workspace:
        workspace.pull()
        assert workspace._ctx.db.rows(sql) == side_records
