"""What an agent's write does in a Base Coat store, row by row, as its own tools would (S-101)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.workspace.remember.conftest import changed, rows

SQL = """
CREATE TABLE memories (id TEXT PRIMARY KEY, category TEXT NOT NULL, subject TEXT NOT NULL, content TEXT NOT NULL,
  source TEXT, confidence REAL DEFAULT 1.0, created_at TEXT NOT NULL, last_accessed TEXT,
  access_count INTEGER DEFAULT 0, expires_at TEXT, tier TEXT DEFAULT 'l4', heat TEXT DEFAULT 'cold',
  pinned INTEGER DEFAULT 0, promotion_count INTEGER DEFAULT 0, last_promoted_at TEXT);
CREATE TABLE memory_relations (from_id TEXT NOT NULL, to_id TEXT NOT NULL, relation_type TEXT,
  PRIMARY KEY (from_id, to_id));
INSERT INTO memories VALUES
  ('m1', 'fact', 'deploy', 'The port is 8080.', 'README', 0.8, '2026-01-01T00:00:00Z', NULL, 2, NULL, 'l4', 'cold',
   0, 0, NULL),
  ('m2', 'convention', 'testing', 'Run the tests before a merge.', 'docs', 0.95, '2026-01-01T00:00:00Z', NULL, 9,
   NULL, 'l4', 'warm', 0, 0, NULL);
INSERT INTO memory_relations VALUES ('m2', 'm1', 'supports');
"""  # noqa: E501
NOW_TEXT = "2027-01-15T08:00:00Z"


@pytest.fixture
def store(tmp_path: Path, work: Workspace) -> Path:
    path = tmp_path / "base.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(SQL)
    work.attach(path, "coat")
    return path


def stored(work: Workspace, **fields: Any) -> Any:
    return work.remember("coder", fields, "coat")


def test_a_new_memory_begins_at_100(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(
        work, category="decision", subject="storage", content="Adopt SQLite.", source_ref="session_end"
    )
    difference = changed(before, rows(store))
    (new,) = difference.pop("memories")
    assert difference == {}
    assert len(new.pop("id")) == 36
    assert new == {
        "_": 3, "category": "decision", "subject": "storage", "content": "Adopt SQLite.",
        "source": "session_end", "confidence": 1.0, "created_at": NOW_TEXT, "last_accessed": None,
        "access_count": 0, "expires_at": None, "tier": "l4", "heat": "cold", "pinned": 0,
        "promotion_count": 0, "last_promoted_at": None,
    }  # fmt: skip
    work.undo(done.change.journal_id)
    assert rows(store) == before


def test_what_contradicts_a_memory_is_kept_beside_it_and_linked(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, category="fact", subject="deploy", content="The port is 9090.")
    difference = changed(before, rows(store))
    (new,) = difference["memories"]
    (relation,) = difference["memory_relations"]
    ends = (relation["from_id"], relation["to_id"], relation["relation_type"])
    assert ends == (new["id"], "m1", "contradicts")
    assert (done.outcome, done.family) == ("added", "contradiction")
    assert work.pull().total == 0
    work.undo(done.change.journal_id)
    assert rows(store) == before


def test_what_is_there_already_is_confirmed_and_not_doubled(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, category="fact", subject="deploy", content="The port is 8080.")
    assert done.outcome == "known"
    assert changed(before, rows(store)) == {
        "memories": [{"confidence": pytest.approx(0.9), "last_accessed": NOW_TEXT}]
    }
    work.undo(done.change.journal_id)
    assert rows(store) == before


def test_an_update_replaces_the_text_and_confirms_up_to_100(work: Workspace, store: Path) -> None:
    before = rows(store)
    uid = work.memories(list(work.search("tests").ids))[0].uid
    change = work.edit_for("coder", work.find_for("coder", "uid", uid), "Run all tests before a merge.")
    assert changed(before, rows(store)) == {
        "memories": [
            {"content": "Run all tests before a merge.", "confidence": 1.0, "last_accessed": NOW_TEXT}
        ]
    }
    work.undo(change.journal_id)
    assert rows(store) == before


def test_forgetting_takes_the_relations_along(work: Workspace, store: Path) -> None:
    before = rows(store)
    (id,) = work.search("port").ids
    change = work.forget_for("coder", id)
    assert changed(before, rows(store)) == {"memories": [{}], "memory_relations": [{}]}
    work.undo(change.journal_id)
    assert rows(store) == before


def test_recall_counts_and_refreshes(work: Workspace, store: Path) -> None:
    before = rows(store)
    work.recall("tests before a merge", Caller("coder"), limit=1)
    used = {"access_count": 10, "heat": "hot", "last_accessed": NOW_TEXT}
    assert changed(before, rows(store)) == {"memories": [used]}
