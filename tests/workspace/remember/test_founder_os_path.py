"""What an agent's write does in a Founder OS store, row by row, as its own calls would (S-100)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import PolicyRefused, Refused
from memtui.workspace.changes import outbox
from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import assert_in_sync
from tests.workspace.remember.conftest import NOW, changed, rows

# The original's own schema, as far as the seed gives it.
SQL = """
CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, category TEXT NOT NULL, content TEXT NOT NULL,
  source_plugin TEXT, company_id TEXT, tags TEXT, embedding TEXT, confidence INTEGER, status TEXT,
  times_used INTEGER, times_confirmed INTEGER, created_at INTEGER, updated_at INTEGER, last_used_at INTEGER);
CREATE TABLE observations (id TEXT PRIMARY KEY, plugin TEXT, action TEXT, context TEXT, observed_at INTEGER);
CREATE TABLE adaptations (id TEXT PRIMARY KEY, memory_id TEXT, plugin TEXT, description TEXT, applied_at INTEGER,
  reverted_at INTEGER);
INSERT INTO adaptations VALUES ('ad1', 'id-terms', 'P11', 'Reminds on day 31.', 1760000000, NULL),
  ('ad0', 'id-terms', 'P11', 'Reminded on day 15.', 1750000000, 1755000000);
"""  # noqa: E501
ROW = (
    "INSERT INTO memories VALUES (?, ?, 'fact', ?, 'P11', NULL, '[\"net\"]', '[0.5]', ?, ?, 4, ?, ?, ?, NULL)"
)


@pytest.fixture
def store(tmp_path: Path, work: Workspace) -> Path:
    path = tmp_path / "memory.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(SQL)
        for key, content, confidence, status, confirmed in (
            ("terms", "Acme pays net-30.", 40, "candidate", 2),
            ("port", "The port is 8080.", 70, "confirmed", 2),
            ("lunch", "Lunch is at noon.", 50, "candidate", 0),
            ("old", "Acme pays by cheque.", 90, "dismissed", 5),
        ):
            numbers = (confidence, status, confirmed, 1_760_000_000, 1_760_000_000)
            connection.execute(ROW, (f"id-{key}", key, content, *numbers))
    work.attach(path, "fos")
    return path


def stored(work: Workspace, agent: str = "P21", **fields: Any) -> Any:
    return work.remember(agent, {"category": "fact", **fields}, "fos")


def test_a_new_row_is_a_candidate_without_an_embedding(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, key="dock", content="The dock is at gate 4.", source_ref="P04", tags=("gate",))
    (new,) = changed(before, rows(store))["memories"]
    id = new.pop("id")
    assert len(id) == 32
    assert new == {
        "_": 5, "key": "dock", "category": "fact", "content": "The dock is at gate 4.",
        "source_plugin": "P04", "company_id": None, "tags": '["gate"]', "embedding": None, "confidence": 50,
        "status": "candidate", "times_used": 0, "times_confirmed": 0, "created_at": NOW, "updated_at": NOW,
        "last_used_at": None,
    }  # fmt: skip
    assert "no embedding: Founder OS finds it by key, company and plugin alone" in done.change.summary
    assert done.outcome == "added"
    assert list(work.search("gate").ids) == [done.id]
    work.undo(done.change.journal_id)
    assert rows(store) == before


@pytest.mark.parametrize(
    ("fields", "source", "number", "status"),
    [
        ({"source_ref": "pattern-detection"}, "pattern-detection", 20, "candidate"),
        ({}, "P21", 50, "candidate"),
        ({"confidence": 0.59}, "P21", 59, "candidate"),
        ({"confidence": 0.6}, "P21", 60, "confirmed"),  # the first promotion comes after every write
        ({"confidence": 1.0}, "P21", 100, "confirmed"),  # the second wants three confirmations
    ],
)
def test_a_new_row_begins_with_the_numbers_of_its_source(
    work: Workspace, store: Path, fields: dict[str, Any], source: str, number: int, status: str
) -> None:
    stored(work, key="dock", content="The dock is at gate 4.", **fields)
    (new,) = [row for row in rows(store)["memories"] if row["key"] == "dock"]
    assert (new["source_plugin"], new["confidence"], new["status"]) == (source, number, status)


def test_the_same_key_again_replaces_the_text_and_reinforces(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, key="port", content="The port is 9090.", source_ref="P04", tags=("other",))
    assert changed(before, rows(store)) == {
        "memories": [
            {
                "content": "The port is 9090.", "embedding": None, "confidence": 85, "times_confirmed": 3,
                "status": "applied", "updated_at": NOW,
            }
        ]
    }  # fmt: skip
    assert (done.outcome, done.family) == ("replaced", "contradiction")
    assert done.other == work.memories([done.id])[0].uid
    event = work.journal()[0]
    assert (event.actor, event.kind) == ("agent:P21", "edited")
    work.undo(event.id)
    assert rows(store) == before


def test_the_same_text_again_reinforces_up_to_a_hundred(work: Workspace, store: Path) -> None:
    before = rows(store)
    numbers = []
    for _ in range(5):
        done = stored(work, key="terms", content="Acme pays net-30.")
        assert done.outcome == "known"
        row = rows(store)["memories"][0]
        numbers.append((row["confidence"], row["status"], row["times_confirmed"], row["embedding"]))
    assert numbers == [
        (55, "candidate", 3, "[0.5]"),
        (70, "confirmed", 4, "[0.5]"),
        (85, "applied", 5, "[0.5]"),
        (100, "applied", 6, "[0.5]"),
        (100, "applied", 7, "[0.5]"),
    ]
    for event in [each for each in work.journal() if each.actor == "agent:P21"]:
        work.undo(event.id)
    assert rows(store) == before


def test_every_write_promotes_what_has_earned_it_and_one_undo_takes_all_back(
    work: Workspace, store: Path
) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:  # other plugins raised these
        connection.execute("UPDATE memories SET confidence = 60 WHERE key = 'lunch'")
        numbers = "confidence = 80, times_confirmed = 3"
        connection.execute(f"UPDATE memories SET {numbers} WHERE key IN ('port', 'terms')")
    work.pull()
    before = rows(store)
    done = stored(work, key="dock", content="The dock is at gate 4.")
    difference = changed(before, rows(store))["memories"]
    assert [row for row in difference if "id" not in row] == [
        {"status": "applied", "updated_at": NOW},  # terms: both promotions, one after the other
        {"status": "applied", "updated_at": NOW},
        {"status": "confirmed", "updated_at": NOW},
    ]
    assert "promoted 3 other memories" in done.change.summary
    assert work.pull().total == 0
    assert_in_sync(work)
    work.undo(done.change.journal_id)
    assert rows(store) == before
    work.redo()
    assert len(changed(before, rows(store))["memories"]) == 4


def test_a_row_that_had_earned_it_before_is_changed_once(work: Workspace, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE memories SET confidence = 60 WHERE key = 'lunch'")
    work.pull()
    done = stored(work, key="lunch", content="Lunch is at noon.")
    assert (rows(store)["memories"][2]["status"], "promoted" in done.change.summary) == ("confirmed", False)
    assert len(work.journal_items(done.change.journal_id)) == 1


def test_a_candidate_is_reinforced_but_not_confirmed_by_an_agents_word_alone(
    work: Workspace, store: Path
) -> None:
    before = rows(store)
    id = work.find_for("P21", "key", "terms")
    change = work.confirm_for("P21", id)
    difference = changed(before, rows(store))
    assert difference == {"memories": [{"confidence": 55, "times_confirmed": 3, "updated_at": NOW}]}
    work.undo(change.journal_id)
    assert rows(store) == before


def test_what_a_person_dismissed_stays_so_and_another_agents_key_is_its_own(
    work: Workspace, store: Path
) -> None:
    before = rows(store)
    with pytest.raises(PolicyRefused) as refused:
        stored(work, key="old", content="Acme pays by card.")
    assert refused.value.code == "dismissed"
    assert work.journal()[0].kind == "refused"
    assert rows(store) == before
    for key, scope, code in (("dock", "private", "exists"), ("gate", "fleet", "owner")):
        stored(work, "P04", key=key, content="The dock is at gate 4.", scope=scope)
        before = rows(store)
        with pytest.raises(Refused) as caught:
            stored(work, key=key, content="The dock is at gate 5.")
        assert caught.value.code == code
        assert rows(store) == before


def test_an_agent_replaces_only_what_it_may_read_and_write(work: Workspace, store: Path) -> None:
    before = rows(store)
    work.set_policy("P21", write=["private"])  # what nobody owns is everybody's
    with pytest.raises(PolicyRefused) as caught:
        stored(work, key="port", content="The port is 9090.", scope="private")
    assert caught.value.code == "scope"
    work.set_policy("P21", write=["all"], read=["private"])
    with pytest.raises(Refused) as taken:
        stored(work, key="port", content="The port is 9090.", scope="private")
    assert taken.value.code == "exists"
    assert rows(store) == before


def test_a_row_that_another_plugin_added_meanwhile_is_read_first(work: Workspace, store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection, connection:
        row = ("id-dock", "dock", "The dock is at gate 4.", 50, "candidate", 0, NOW - 9, NOW - 9)
        connection.execute(ROW, row)
    before = rows(store)
    assert stored(work, key="dock", content="The dock is at gate 5.").outcome == "replaced"
    (row_now,) = changed(before, rows(store))["memories"]
    assert (row_now["content"], row_now["confidence"]) == ("The dock is at gate 5.", 65)


def test_a_key_that_another_plugin_takes_while_it_is_written_is_replaced(
    work: Workspace, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, rivals = outbox.run, [("id-dock", "dock", "The dock is at gate 4.", 50, "candidate", 0, NOW, NOW)]

    def overtaken(*args: Any, **more: Any) -> Any:
        while rivals:
            with closing(sqlite3.connect(store)) as connection, connection:
                connection.execute(ROW, rivals.pop())
        return write(*args, **more)

    monkeypatch.setattr(outbox, "run", overtaken)
    assert stored(work, key="dock", content="The dock is at gate 5.").outcome == "replaced"
    (row,) = [row for row in rows(store)["memories"] if row["key"] == "dock"]
    assert (row["content"], row["confidence"]) == ("The dock is at gate 5.", 65)


def test_delete_reverts_the_adaptations_and_leaves_their_rows(work: Workspace, store: Path) -> None:
    before = rows(store)
    change = work.forget_for("P21", work.find_for("P21", "key", "terms"))
    assert changed(before, rows(store)) == {"memories": [{}], "adaptations": [{"reverted_at": NOW}]}
    work.undo(change.journal_id)
    assert rows(store) == before


def test_every_returned_row_counts_as_used(work: Workspace, store: Path) -> None:
    before = rows(store)
    work.recall_by("key", "old", Caller("P21"))  # of any status
    used = {"times_used": 5, "last_used_at": NOW}
    assert changed(before, rows(store)) == {"memories": [used]}
