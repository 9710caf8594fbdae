"""The queue as it is listed and counted (S-42)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.memory.pairs import CONTRADICTION
from memtui.workspace.workspace import Workspace


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
