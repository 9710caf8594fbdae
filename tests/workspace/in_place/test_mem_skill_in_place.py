"""mem-skill in a workspace: every command, its undo, its history, and agents at work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.mem_skill import MemSkill
from memtui.formats.mem_skill.finding_help import MEANINGS
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, agent_executes, find_id, memory, refusal
from tests.support.empty_workspace import create_empty
from tests.support.stores import file_hashes
from tests.support.stores.databases import execute, query
from tests.support.stores.mem_skill import (
    CITY,
    COLUMNS,
    FACTS,
    GONE,
    HISTORY_ROW,
    IMMUTABLE_TRIGGERS,
    LANGUAGE,
    NUTS,
    TABS,
    fact,
    fts_keys,
    make,
    rows_in,
)

KEPT = ("facts", "fact_history", "facts_archive", "sqlite_sequence")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    yield workspace
    workspace.close()


@pytest.fixture
def database(tmp_path: Path, workspace: Workspace) -> Path:
    path = make(tmp_path / "assistant" / "mem.db")
    workspace.attach(path)
    return path


def rows(path: Path) -> dict[str, Any]:
    """Return the rows of all tables but those of the search index."""
    return {name: table for name, table in rows_in(path).items() if name in KEPT}


def value(path: Path, ref: str, column: str) -> Any:
    return query(path, f"SELECT {column} FROM facts WHERE fact_id = ?", ref)[0][0]


def actions(path: Path) -> list[str]:
    """Return the actions in the history, oldest first, without the row of the sample."""
    return [action for (action,) in query(path, "SELECT action FROM fact_history ORDER BY rowid")][1:]


def archive(path: Path, ref: str) -> None:
    """Archive a fact as its own agent does when it no longer holds."""
    names = ", ".join(COLUMNS)
    execute(
        path,
        f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = '{ref}'",
        f"DELETE FROM facts WHERE fact_id = '{ref}'",
    )


def place_of(workspace: Workspace, id: int) -> str:
    detail = workspace.detail(id)
    assert detail is not None
    return detail.place


def test_attaching_reading_and_closing_change_no_byte(tmp_path: Path) -> None:
    path = make(tmp_path / "mem.db")
    before, files_before = file_hashes(path), set(tmp_path.iterdir())
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    (store,) = [info for info in workspace.attach(path) if info.format != "native"]
    assert (store.format, store.count) == ("mem-skill", len(FACTS) + 1)
    workspace.pull()
    workspace.doctor()
    workspace.detail(find_id(workspace, "hazelnuts"))
    workspace.close()
    assert file_hashes(path) == before
    assert set(tmp_path.iterdir()) == files_before | {tmp_path / "w"}


def test_every_command_writes_into_the_database_and_is_undone(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    nuts, tabs, task, german = (
        find_id(workspace, text) for text in ("hazelnuts", "tabs over", "billing", "German")
    )
    verbs: dict[str, Callable[[], Change]] = {
        "update": lambda: workspace.edit([nuts], {"content": "Allergic to walnuts.", "key": "allergies"}),
        "updated": lambda: workspace.edit([tabs], {"category": "soft_preference"}),
        "confirm": lambda: workspace.confirm([task]),
        "expire": lambda: workspace.dismiss([nuts, tabs]),
        "restore": lambda: workspace.restore([german]),
        "supersede": lambda: workspace.supersede([tabs], nuts),
    }
    for action, verb in verbs.items():
        change = verb()
        assert not change.skipped
        after = rows(database)
        assert set(actions(database)) == {action.removesuffix("d") if action == "updated" else action}
        workspace.undo()
        assert rows(database) == before
        workspace.redo()
        assert rows(database)["facts"] == after["facts"]
        workspace.undo()
        assert rows(database) == before
    assert workspace.pull().total == 0


def test_the_search_index_of_the_store_follows_a_change_and_its_undo(
    workspace: Workspace, database: Path
) -> None:
    workspace.edit([find_id(workspace, "hazelnuts")], {"content": "Allergic to walnuts."})
    assert (fts_keys(database, "walnuts"), fts_keys(database, "hazelnuts")) == ({"allergy"}, set())
    workspace.undo()
    assert (fts_keys(database, "walnuts"), fts_keys(database, "hazelnuts")) == (set(), {"allergy"})


def test_a_dismissed_fact_is_expired_and_restored_unchanged(workspace: Workspace, database: Path) -> None:
    nuts, task = find_id(workspace, "hazelnuts"), find_id(workspace, "billing")
    workspace.dismiss([nuts, task])
    assert value(database, NUTS, "status") == "expired"
    assert value(database, NUTS, "valid_to") == value(database, NUTS, "updated_at")
    assert memory(workspace, nuts).status == "expired"
    assert memory(workspace, nuts).valid_to is not None
    assert refusal(lambda: workspace.dismiss([nuts])).code == "blocked"
    workspace.restore([nuts, task])
    assert [memory(workspace, id).status for id in (nuts, task)] == ["confirmed", "pending"]
    assert value(database, NUTS, "valid_to") is None
    assert actions(database) == ["expire", "expire", "restore", "restore"]


def test_the_history_of_a_superseded_fact_names_the_winner(workspace: Workspace, database: Path) -> None:
    city, tabs = find_id(workspace, "Lisbon"), find_id(workspace, "tabs over")
    workspace.supersede([tabs], city)
    assert value(database, TABS, "status") == "superseded"
    assert memory(workspace, tabs).superseded_by == memory(workspace, city).uid
    ((reason,),) = query(database, "SELECT reason FROM fact_history WHERE fact_id = ?", TABS)
    assert CITY in reason
    workspace.restore([tabs])
    assert (memory(workspace, tabs).status, memory(workspace, tabs).superseded_by) == ("confirmed", None)


def test_confirming_raises_the_confidence_as_mem_skill_does(workspace: Workspace, database: Path) -> None:
    task = find_id(workspace, "billing")
    workspace.confirm([task])
    assert memory(workspace, task).status == "confirmed"
    assert memory(workspace, task).confidence == pytest.approx(0.55)
    assert memory(workspace, task).times_confirmed == 1


def test_fields_that_mem_skill_lacks_are_kept_in_memtui(workspace: Workspace, database: Path) -> None:
    before = file_hashes(database)
    nuts, tabs = find_id(workspace, "hazelnuts"), find_id(workspace, "tabs over")
    workspace.pin([nuts])
    workspace.edit([nuts], {"title": "Nuts", "tags": ("food",)})
    workspace.relate(nuts, "supports", tabs)
    assert file_hashes(database) == before
    assert (memory(workspace, nuts).pinned, memory(workspace, nuts).title) == (True, "Nuts")


def test_a_memory_is_added_purged_and_undone(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    change = workspace.add(
        {"content": "Drinks oolong.", "category": "soft_preference", "title": "Tea"}, "mem-skill:assistant"
    )
    assert memory(workspace, change.ids[0]).key == "tea"
    assert fts_keys(database, "oolong") == {"tea"}
    workspace.undo()
    assert rows(database) == before
    workspace.purge([find_id(workspace, "hazelnuts")])
    assert fts_keys(database, "hazelnuts") == set()
    assert "hazelnuts" not in str(rows(database))


def test_undoing_a_move_restores_the_row_of_the_fact(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    workspace.move([find_id(workspace, "hazelnuts")], "native")
    assert query(database, "SELECT 1 FROM facts WHERE fact_id = ?", NUTS) == []
    workspace.undo()
    assert rows(database) == before


def test_a_memory_of_another_store_is_copied_into_the_database(
    workspace: Workspace, database: Path, tmp_path: Path
) -> None:
    change = workspace.add({"content": "Squash before merging.", "category": "convention"})
    copied = workspace.copy(list(change.ids), "mem-skill:assistant")
    assert copied is not None
    ((key, category, status),) = query(
        database, "SELECT key, category, status FROM facts WHERE value_text = 'Squash before merging.'"
    )
    assert (key, category, status) == ("squash_before_merging", "other", "active")


@pytest.mark.parametrize("history_rows", [(HISTORY_ROW,), ()], ids=["in a history", "in an empty history"])
def test_undoing_a_redone_and_a_later_change_restores_times_and_sequence(
    workspace: Workspace, tmp_path: Path, history_rows: tuple[dict[str, Any], ...]
) -> None:
    path = make(tmp_path / "mem.db", history_rows=history_rows)
    workspace.attach(path)
    before, nuts = rows(path), find_id(workspace, "hazelnuts")
    first = workspace.confirm([nuts]).journal_id
    second = workspace.edit([nuts], {"content": "Allergic to walnuts."}).journal_id
    workspace.undo(first)
    workspace.redo()
    workspace.undo(second)
    workspace.undo(first)
    assert rows(path) == before


def test_undoing_a_restore_and_a_move_around_a_later_change_restores_the_sequence(
    workspace: Workspace, database: Path
) -> None:
    before, nuts = rows(database), find_id(workspace, "hazelnuts")
    moved = workspace.move([nuts], "native").change.journal_id
    later = workspace.confirm([find_id(workspace, "tabs over")]).journal_id
    restored = workspace.restore([nuts]).journal_id
    for entry_id in (restored, later, moved):
        workspace.undo(entry_id)
    assert rows(database) == before


def test_archived_facts_are_shown_and_read_only(workspace: Workspace, database: Path) -> None:
    emacs = find_id(workspace, "Emacs")
    assert memory(workspace, emacs).status == "superseded"
    before = file_hashes(database)
    assert "the fact is archived" in refusal(lambda: workspace.edit([emacs], {"content": "Used vi."})).message
    assert "the fact is archived" in refusal(lambda: workspace.restore([emacs])).message
    assert file_hashes(database) == before


def test_the_history_is_shown_with_its_memory(workspace: Workspace, database: Path) -> None:
    nuts = find_id(workspace, "hazelnuts")
    workspace.edit([nuts], {"content": "Allergic to walnuts."})
    detail = workspace.detail(nuts)
    assert detail is not None
    assert [(record.kind, record.text) for record in detail.related_records] == [
        (
            "history",
            "update: “Allergic to hazelnuts.” → “Allergic to walnuts.” (edited by a person in memtui)",
        )
    ]
    assert "fact_history" in detail.consequences["dismiss"].text


def test_an_immutable_history_gets_a_row_for_the_undo(workspace: Workspace, tmp_path: Path) -> None:
    path = make(tmp_path / "stern" / "mem.db", statements=IMMUTABLE_TRIGGERS)
    workspace.attach(path)
    before = rows(path)["facts"]
    workspace.dismiss([find_id(workspace, "hazelnuts")])
    workspace.undo()
    assert rows(path)["facts"] == before
    workspace.redo()
    assert value(path, NUTS, "status") == "expired"
    assert actions(path) == ["expire", "undo", "undo"]


def test_a_store_with_an_unknown_trigger_is_read_only(workspace: Workspace, tmp_path: Path) -> None:
    more = (
        "CREATE TABLE t (a)",
        "CREATE TRIGGER spy AFTER UPDATE ON facts BEGIN INSERT INTO t VALUES (1); END",
    )
    workspace.attach(make(tmp_path / "odd" / "mem.db", statements=more))
    assert "spy" in refusal(lambda: workspace.dismiss([find_id(workspace, "hazelnuts")])).message


# -- other programs


def test_a_field_changed_by_an_agent_is_a_conflict(workspace: Workspace, database: Path) -> None:
    nuts = find_id(workspace, "hazelnuts")
    agent_executes(database, "UPDATE facts SET value_text = 'Theirs.' WHERE fact_id = ?", NUTS)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([nuts], {"content": "Ours."})
    assert conflict.value.stored == {"content": "Theirs."}
    assert value(database, NUTS, "value_text") == "Theirs."
    assert actions(database) == []


def test_another_field_changed_by_an_agent_is_not_a_conflict(workspace: Workspace, database: Path) -> None:
    nuts = find_id(workspace, "hazelnuts")
    agent_executes(
        database, "UPDATE facts SET confidence = 0.99, embedding_id = 'e9' WHERE fact_id = ?", NUTS
    )
    workspace.edit([nuts], {"content": "Allergic to walnuts."})
    workspace.undo()
    assert (value(database, NUTS, "confidence"), value(database, NUTS, "value_text")) == (
        0.99,
        "Allergic to hazelnuts.",
    )


def test_a_fact_deleted_by_an_agent_is_restored(workspace: Workspace, database: Path) -> None:
    city = find_id(workspace, "Lisbon")
    before = rows(database)["facts"][1]
    agent_executes(database, "DELETE FROM facts WHERE fact_id = ?", CITY)
    workspace.pull()
    workspace.restore([city])
    (after,) = [row for row in rows(database)["facts"].values() if row["fact_id"][1] == CITY]
    different = ("updated_at", "event_time")  # the new time, and a date that is a time now
    assert {n: v for n, v in after.items() if n not in different} == {
        n: v for n, v in before.items() if n not in different
    }


def test_a_fact_archived_by_its_agent_stays_the_same_memory(workspace: Workspace, database: Path) -> None:
    tabs = find_id(workspace, "tabs over")
    uid = memory(workspace, tabs).uid
    workspace.pin([tabs])
    workspace.edit([tabs], {"tags": ["style"]})
    archive(database, TABS)
    assert workspace.pull().changes == {"mem-skill:assistant": (0, 1, 0)}
    archived = memory(workspace, tabs)
    assert (archived.uid, archived.status, archived.pinned, archived.tags) == (
        uid,
        "superseded",
        True,
        ("style",),
    )
    assert place_of(workspace, tabs) == "facts_archive, fact indentation"
    assert workspace.journal()[0].summary == "mem-skill:assistant: 1 changed"
    assert "the fact is archived" in refusal(lambda: workspace.edit([tabs], {"content": "Spaces."})).message
    names = ", ".join(COLUMNS)
    execute(
        database,
        f"INSERT INTO facts ({names}) SELECT {names} FROM facts_archive WHERE fact_id = '{TABS}'",
        f"DELETE FROM facts_archive WHERE fact_id = '{TABS}'",
    )
    assert workspace.pull().changes == {"mem-skill:assistant": (0, 1, 0)}
    workspace.edit([tabs], {"content": "Spaces."})
    assert (memory(workspace, tabs).uid, value(database, TABS, "value_text")) == (uid, "Spaces.")


def test_a_change_of_a_fact_archived_since_cannot_be_undone(workspace: Workspace, database: Path) -> None:
    workspace.edit([find_id(workspace, "tabs over")], {"content": "Prefers spaces."})
    archive(database, TABS)
    before = rows(database)
    assert "changed since" in refusal(workspace.undo).message
    assert rows(database) == before


def test_a_fact_with_an_archived_copy_is_moved_and_restored(workspace: Workspace, database: Path) -> None:
    names = ", ".join(COLUMNS)
    execute(database, f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE key = 'allergy'")
    workspace.pull()
    nuts = find_id(workspace, "hazelnuts")
    before, uid = rows(database), memory(workspace, nuts).uid
    workspace.move([nuts], "native")
    workspace.pull()
    memories = [memory(workspace, id) for id in workspace.search("hazelnuts", live=False).ids]
    assert {(found.store, found.status) for found in memories} == {
        ("native", "confirmed"),
        ("mem-skill:assistant", "superseded"),
    }
    workspace.undo()
    workspace.pull()
    assert rows(database) == before
    (id,) = workspace.search("hazelnuts", live=False).ids
    assert (memory(workspace, id).status, value(database, NUTS, "status")) == ("confirmed", "active")
    assert memory(workspace, id).uid == uid


def test_a_restored_fact_that_expired_elsewhere_is_valid_again(workspace: Workspace, database: Path) -> None:
    german, before = find_id(workspace, "German"), rows(database)
    workspace.restore([german])
    assert (value(database, LANGUAGE, "status"), value(database, LANGUAGE, "valid_to")) == ("active", None)
    assert (memory(workspace, german).status, memory(workspace, german).valid_to) == ("confirmed", None)
    workspace.undo()
    assert rows(database) == before


def test_only_the_changed_facts_of_a_large_store_are_pulled(workspace: Workspace, tmp_path: Path) -> None:
    many = [fact(f"id-{n}", f"key-{n}", f"Fact number {n}.") for n in range(700)]
    path = make(tmp_path / "large" / "mem.db", many, history_rows=(), archived=())
    workspace.attach(path)
    assert workspace.pull().total == 0
    agent_executes(path, "UPDATE facts SET value_text = 'Quite a zebra.' WHERE fact_id = 'id-650'")
    agent_executes(path, "DELETE FROM facts WHERE fact_id = 'id-3'")
    agent_executes(
        path, "INSERT INTO fact_history (fact_id, user_id, action, created_at) VALUES ('id-9', '', 'x', '')"
    )
    assert workspace.pull().changes == {"mem-skill:large": (0, 1, 1)}
    detail = workspace.detail(find_id(workspace, '"Fact number 9."'))
    assert detail is not None
    assert [record.text for record in detail.related_records] == ["x"]
    names = ", ".join(COLUMNS)
    execute(path, f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = 'id-20'")
    workspace.pull()
    execute(path, "DELETE FROM facts WHERE fact_id = 'id-20'")
    workspace.pull()
    (id,) = workspace.search('"Fact number 20."', live=False).ids
    assert place_of(workspace, id) == "facts_archive, fact key-20"


def test_the_doctor_reports_problems_and_what_they_mean(workspace: Workspace, tmp_path: Path) -> None:
    facts = [
        *FACTS,
        fact("other", "home_city", "Lives in Rome."),
        fact("late", "late", "Late.", valid_to="2020-01-01T00:00:00Z", confidence=1.3, value_json="{"),
    ]
    path = make(tmp_path / "odd" / "mem.db", facts, history="", search=())
    workspace.attach(path)
    by_code = {issue.code: issue for issue in workspace.doctor() if issue.store == "mem-skill:odd"}
    assert {"two-values", "odd-validity", "odd-confidence", "odd-json", "no-history", "no-search"} <= set(
        by_code
    )
    assert all(by_code[code].meaning == MEANINGS[code] for code in by_code if code in MEANINGS)


def test_a_created_store_is_usable_at_once(workspace: Workspace, tmp_path: Path) -> None:
    info = workspace.create_store("mem-skill", tmp_path / "new" / "mem.db")
    change = workspace.add({"content": "Lives in Lisbon."}, info.name)
    workspace.dismiss(list(change.ids))
    workspace.undo()
    assert fts_keys(tmp_path / "new" / "mem.db", "Lisbon") == {"lives_in_lisbon"}
    assert MemSkill(tmp_path / "new" / "mem.db").read().findings == []


def test_a_change_that_the_store_cannot_take_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    sql = "CREATE TABLE fact_history (fact_id TEXT, mood TEXT NOT NULL CHECK (mood IN ('glad', 'sad')))"
    path = make(tmp_path / "moody" / "mem.db", history=sql, history_rows=())
    workspace.attach(path)
    before = rows(path)
    with pytest.raises(Refused, match="rejects the entry for this change"):
        workspace.dismiss([find_id(workspace, "hazelnuts")])
    assert rows(path) == before
    assert memory(workspace, find_id(workspace, "hazelnuts")).status == "confirmed"
    assert memory(workspace, find_id(workspace, "Emacs")).ref == GONE
