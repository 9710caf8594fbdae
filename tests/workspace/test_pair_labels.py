"""What stands for the two memories of a pair in a list (S-42)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.workspace.workspace import Workspace


def test_whom_a_pair_is_about_stands_in_front_though_the_text_names_it_later(tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path / "workspace.db")) as workspace:
        for text in (
            "Invoices of Brightwater are paid net 30.",
            "Invoices of Brightwater are never paid net 30.",
        ):
            workspace.add({"content": text, "subject": "Brightwater"})
        workspace.sweep()
        (pair,) = workspace.pairs()
    assert pair.labels == (
        "Brightwater: Invoices of Brightwater are paid net 30.",
        "Brightwater: Invoices of Brightwater are never paid net 30.",
    )
