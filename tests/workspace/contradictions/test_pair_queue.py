"""The queue as it is listed and counted (S-42)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.contradictions.pairs import CONTRADICTION
from memtui.workspace.workspace import Workspace
from tests.support.stores import minions


@pytest.fixture
def swept(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "workspace.db")
    for text in (
        "Invoices of Brightwater are paid net 30.",
        "Invoices of Brightwater are never paid net 30.",
    ):
        workspace.add({"content": text, "subject": "Brightwater"})
    for _ in range(2):
        workspace.add({"content": "The office cat is called Mimi."})
    workspace.sweep()
    yield workspace
    workspace.close()


def test_whom_a_pair_is_about_stands_in_front_though_the_text_names_it_later(swept: Workspace) -> None:
    (pair,) = swept.pairs(family=CONTRADICTION)
    assert pair.labels == (
        "Brightwater: Invoices of Brightwater are paid net 30.",
        "Brightwater: Invoices of Brightwater are never paid net 30.",
    )


def test_contradictions_and_duplicates_are_counted_apart(swept: Workspace) -> None:
    queue = swept.review()
    assert (queue.open, queue.contradictions, queue.duplicates) == (2, 1, 1)


def test_an_older_workspace_reads_again_what_its_stores_say_of_contradictions(tmp_path: Path) -> None:
    settled = {"memoryIdA": minions.uid(1), "memoryIdB": minions.uid(2), "resolution": "keep-a"}
    clash = minions.minion(201, "contradiction", settled)
    facts = [minions.item(number, "tea", f"Tea is {said}.") for number, said in ((1, "good"), (2, "bad"))]
    place, path = minions.make(tmp_path / "m", *facts, clash).root, tmp_path / "w" / "workspace.db"
    told = "SELECT other, settled FROM side_records ORDER BY other"
    with closing(Workspace.open(path)) as workspace:
        workspace.attach(place)
        both = workspace._ctx.db.rows(told)
        assert len(both) == 2
    _as_of_before(path)
    with closing(Workspace.open(path)) as workspace:
        workspace.pull()
        assert workspace._ctx.db.rows(told) == both


def _as_of_before(path: Path) -> None:
    """Make a workspace one of the schema before stores' own words on contradictions were heeded."""
    connection = apsw.Connection(str(path))
    connection.execute(
        "DROP TRIGGER pairs_told; DROP TRIGGER pairs_untold; DROP INDEX asides_other;"
        "ALTER TABLE side_records DROP COLUMN other; ALTER TABLE side_records DROP COLUMN settled;"
        "ALTER TABLE pairs DROP COLUMN clause_a; ALTER TABLE pairs DROP COLUMN clause_b;"
        "PRAGMA user_version = 11"
    )
    connection.close()
