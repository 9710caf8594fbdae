"""What an agent's write does in a mem-skill store, row by row, as its arbitration would (S-103)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.workspace.remember.conftest import changed, rows

SQL = """
CREATE TABLE facts (fact_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, key TEXT NOT NULL, value_text TEXT NOT NULL,
  value_json TEXT, category TEXT NOT NULL, confidence REAL NOT NULL, event_time TEXT, valid_from TEXT NOT NULL,
  valid_to TEXT, status TEXT NOT NULL, source_turn_id TEXT NOT NULL, source_excerpt TEXT, embedding_id TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
CREATE TABLE fact_history (history_id INTEGER PRIMARY KEY, fact_id TEXT, action TEXT, old_value TEXT,
  new_value TEXT, reason TEXT, changed_at TEXT);
"""  # noqa: E501
FACT = "INSERT INTO facts VALUES (?, 'mira', ?, ?, NULL, ?, ?, NULL, ?, NULL, 'active', 't1', '', NULL, ?, ?)"
AT, NOW_TEXT = "2026-01-01T00:00:00Z", "2027-01-15T08:00:00Z"


@pytest.fixture
def store(tmp_path: Path, work: Workspace) -> Path:
    path = tmp_path / "mem.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(SQL)
        for key, text, category, confidence in (
            ("drink", "Drinks tea.", "soft_preference", 0.4),
            ("editor", "Writes with Vim.", "hard_preference", 0.85),
            ("home_address", "Lives in Bern.", "identity", 0.55),
            ("shell", "Works in zsh.", "soft_preference", 0.55),
            ("team", "Belongs to the blue team.", "identity", 0.4),
        ):
            connection.execute(FACT, (f"id-{key}", key, text, category, confidence, AT, AT, AT))
    work.attach(path, "mem")
    return path


def stored(work: Workspace, **fields: Any) -> Any:
    return work.remember("mira", fields, "mem")


def check_undone(work: Workspace, store: Path, before: Any) -> None:
    for event in [each for each in work.journal() if each.actor == "agent:mira"]:
        work.undo(event.id)
    assert rows(store) == before


def test_a_new_key_is_inserted_at_040(work: Workspace, store: Path) -> None:
    before = rows(store)
    stored(work, key="city", content="Works in Basel.", category="other")
    difference = changed(before, rows(store))
    assert difference.keys() == {"facts"}  # nothing is destroyed, so nothing is told of it
    (new,) = difference["facts"]
    told = {
        name: new[name] for name in ("user_id", "key", "value_text", "confidence", "status", "valid_from")
    }
    assert told == {
        "user_id": "mira", "key": "city", "value_text": "Works in Basel.", "confidence": 0.4,
        "status": "active", "valid_from": NOW_TEXT,
    }  # fmt: skip
    check_undone(work, store, before)


def test_a_repetition_refreshes_mention_time_and_confidence(work: Workspace, store: Path) -> None:
    before = rows(store)
    assert stored(work, key="drink", content="Drinks tea.").outcome == "known"
    facts = changed(before, rows(store))["facts"]
    assert facts == [{"confidence": pytest.approx(0.55), "updated_at": NOW_TEXT}]
    check_undone(work, store, before)


def test_a_refinement_changes_the_fact_in_place_with_its_history(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, key="drink", content="Drinks green tea.", confidence=0.3)
    assert (done.outcome, done.other) == ("replaced", "")
    difference = changed(before, rows(store))
    assert difference["facts"] == [
        {"value_text": "Drinks green tea.", "confidence": pytest.approx(0.55), "updated_at": NOW_TEXT}
    ]
    (entry,) = difference["fact_history"]
    assert (entry["fact_id"], entry["action"]) == ("id-drink", "update")
    assert (entry["old_value"], entry["new_value"]) == ("Drinks tea.", "Drinks green tea.")
    assert entry["reason"]
    check_undone(work, store, before)


def test_a_contradiction_ends_the_old_fact_and_inserts_the_new_one(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, key="drink", content="Drinks coffee.", confidence=0.5)
    difference = changed(before, rows(store))
    old, new = difference["facts"]
    assert old == {"status": "superseded", "valid_to": NOW_TEXT, "updated_at": NOW_TEXT}
    assert (new["value_text"], new["status"], new["valid_to"]) == ("Drinks coffee.", "active", None)
    (entry,) = difference["fact_history"]
    assert (entry["fact_id"], entry["action"], entry["old_value"]) == ("id-drink", "supersede", "Drinks tea.")
    assert done.outcome == "added"
    winner = work.memories([done.id])[0].uid
    (loser,) = work.memories(list(work.search("tea status:superseded").ids))
    assert loser.superseded_by == winner
    assert work.pull().total == 0
    check_undone(work, store, before)
    assert work.memories([*work.search("tea").ids])[0].superseded_by is None


def test_both_values_of_a_key_are_never_active_after_an_undo(work: Workspace, store: Path) -> None:
    before = rows(store)
    done = stored(work, key="drink", content="Drinks coffee.", confidence=0.5)
    again = stored(work, key="drink", content="Drinks coffee.")
    assert again.outcome == "known"
    now = rows(store)
    with pytest.raises(Refused):
        work.undo(done.change.journal_id)
    assert rows(store) == now
    for each in (again, done):
        work.undo(each.change.journal_id)
    assert rows(store) == before
    work.redo()
    assert [row["status"] for row in rows(store)["facts"] if row["key"] == "drink"] == [
        "superseded",
        "active",
    ]


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"key": "shell", "content": "Works in fish."}, "pending"),  # 0.40 against 0.55
        ({"key": "shell", "content": "Works in fish.", "confidence": 0.6}, "added"),
        (
            {"key": "editor", "content": "Writes with Emacs.", "confidence": 1.0},
            "pending",
        ),  # one contradiction
        ({"key": "home_address", "content": "Lives in Basel.", "confidence": 0.89}, "pending"),
        (
            {"key": "home_address", "content": "Lives in Bern, near the station.", "confidence": 0.8},
            "pending",
        ),
        ({"key": "home_address", "content": "Lives in Basel.", "confidence": 0.9}, "added"),
        ({"key": "team", "content": "Belongs to the red team.", "confidence": 0.6}, "pending"),  # identity
        ({"key": "bank_account", "content": "Has an account at Postfinance."}, "pending"),
    ],
)
def test_what_one_word_of_an_agent_does_not_settle_waits_for_a_person(
    work: Workspace, store: Path, fields: dict[str, Any], outcome: str
) -> None:
    before = rows(store)
    done = stored(work, **fields)
    assert done.outcome == outcome
    difference = changed(before, rows(store))
    if outcome == "pending":
        assert difference.keys() == {"facts"}  # the old fact stays as it is
        (new,) = difference["facts"]
        assert (new["value_text"], new["status"]) == (fields["content"], "pending_confirmation")
        assert stored(work, **fields).outcome == "known"  # said again, it still waits
        assert changed(before, rows(store)) == difference
    check_undone(work, store, before)


def test_a_fact_that_waits_for_a_person_is_ended_by_nobody_else(work: Workspace, store: Path) -> None:
    stored(work, key="bank_account", content="Has an account at Postfinance.")
    before = rows(store)
    done = stored(work, key="bank_account", content="Has an account at Raiffeisen.", confidence=0.95)
    difference = changed(before, rows(store))
    assert (done.outcome, [*difference]) == ("added", ["facts"])
    (new,) = difference["facts"]
    assert (new["value_text"], new["status"]) == ("Has an account at Raiffeisen.", "active")


def test_forgetting_deletes_the_row_and_the_history_says_so(work: Workspace, store: Path) -> None:
    before = rows(store)
    change = work.forget_for("mira", work.find_for("mira", "key", "drink"))
    difference = changed(before, rows(store))
    assert difference["facts"] == [{}]
    (entry,) = difference["fact_history"]
    assert (entry["fact_id"], entry["action"]) == ("id-drink", "delete")
    assert "agent:mira" in entry["reason"]
    work.undo(change.journal_id)
    assert rows(store) == before
