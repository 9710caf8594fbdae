"""Of what an agent does, the journal and the recall log have the tool and the session (S-50)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import NOW
from tests.support.empty_workspace import create_empty


def test_an_entry_has_the_call_that_made_it(tmp_path: Path) -> None:
    path = create_empty(tmp_path / "w.db")
    work = Workspace.open(path, clock=lambda: NOW)
    with work.calling("memory_store", "s-1"):
        added = work.remember("scout", {"content": "The kettle is new."}).change.journal_id
    with work.calling("memory_recall", "s-2"):
        work.recall("kettle", Caller("scout"))
    undone = work.undo(added).journal_id
    work.close()
    with closing(sqlite3.connect(path)) as connection:
        entries = connection.execute("SELECT id, tool, session FROM journal").fetchall()
        questions = connection.execute("SELECT tool, session FROM recall_log").fetchall()
    assert (added, "memory_store", "s-1") in entries
    assert (undone, "", "") in entries
    assert questions == [("memory_recall", "s-2")]
