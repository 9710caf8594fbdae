"""mem-skill's database in a workspace: every verb, its undo, its audit, and agents beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.mem_skill import MemSkill
from memtui.formats.mem_skill.schema import MEANINGS
from memtui.memory.results import Change
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, agent_sets, memory, refusal, the
from tests.support.empty_workspace import empty
from tests.support.stores import bytes_of
from tests.support.stores.databases import alter, asked
from tests.support.stores.mem_skill import (
    CITY,
    COLUMNS,
    FACTS,
    GONE,
    GUARDS,
    LANGUAGE,
    LINE,
    NUTS,
    TABS,
    fact,
    found,
    make,
    rows_in,
)

KEPT = ("facts", "fact_history", "facts_archive", "sqlite_sequence")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    yield workspace
    workspace.close()


@pytest.fixture
def database(tmp_path: Path, workspace: Workspace) -> Path:
    path = make(tmp_path / "assistant" / "mem.db")
    workspace.attach(path)
    return path


def rows(path: Path) -> dict[str, Any]:
    """What stands in the tables that are not the search."""
    return {name: table for name, table in rows_in(path).items() if name in KEPT}


def value(path: Path, ref: str, column: str) -> Any:
    return asked(path, f"SELECT {column} FROM facts WHERE fact_id = ?", ref)[0][0]


def actions(path: Path) -> list[str]:
    """What the audit says happened, oldest first, without the line that was there."""
    return [action for (action,) in asked(path, "SELECT action FROM fact_history ORDER BY rowid")][1:]


def archive(path: Path, ref: str) -> None:
    """What its own agent does with a fact that no longer holds."""
    names = ", ".join(COLUMNS)
    alter(
        path,
        f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = '{ref}'",
        f"DELETE FROM facts WHERE fact_id = '{ref}'",
    )


def stands_at(workspace: Workspace, id: int) -> str:
    detail = workspace.detail(id)
    assert detail is not None
    return detail.place


def test_attaching_reading_and_closing_leave_every_byte(tmp_path: Path) -> None:
    path = make(tmp_path / "mem.db")
    before, beside = bytes_of(path), set(tmp_path.iterdir())
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    (store,) = [each for each in workspace.attach(path) if each.format != "native"]
    assert (store.format, store.count) == ("mem-skill", len(FACTS) + 1)
    workspace.pull()
    workspace.doctor()
    workspace.detail(the(workspace, "hazelnuts"))
    workspace.close()
    assert bytes_of(path) == before
    assert set(tmp_path.iterdir()) == beside | {tmp_path / "w"}


def test_all_verbs_write_into_the_database_and_come_off(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    nuts, tabs, task, german = (
        the(workspace, words) for words in ("hazelnuts", "tabs over", "billing", "German")
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


def test_a_change_is_found_by_the_stores_own_search_and_its_undo_too(
    workspace: Workspace, database: Path
) -> None:
    workspace.edit([the(workspace, "hazelnuts")], {"content": "Allergic to walnuts."})
    assert (found(database, "walnuts"), found(database, "hazelnuts")) == ({"allergy"}, set())
    workspace.undo()
    assert (found(database, "walnuts"), found(database, "hazelnuts")) == (set(), {"allergy"})


def test_a_dismissed_fact_is_expired_and_comes_back_as_it_was(workspace: Workspace, database: Path) -> None:
    nuts, task = the(workspace, "hazelnuts"), the(workspace, "billing")
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


def test_a_fact_that_gives_way_names_the_other_one(workspace: Workspace, database: Path) -> None:
    city, tabs = the(workspace, "Lisbon"), the(workspace, "tabs over")
    workspace.supersede([tabs], city)
    assert value(database, TABS, "status") == "superseded"
    assert memory(workspace, tabs).superseded_by == memory(workspace, city).uid
    (line,) = asked(database, "SELECT reason FROM fact_history WHERE fact_id = ?", TABS)
    assert CITY in line[0]
    workspace.restore([tabs])
    assert (memory(workspace, tabs).status, memory(workspace, tabs).superseded_by) == ("confirmed", None)


def test_a_confirmation_raises_the_confidence_as_mem_skill_does(workspace: Workspace, database: Path) -> None:
    task = the(workspace, "billing")
    workspace.confirm([task])
    assert memory(workspace, task).status == "confirmed"
    assert memory(workspace, task).confidence == pytest.approx(0.55)
    assert memory(workspace, task).times_confirmed == 1


def test_what_mem_skill_lacks_is_kept_in_memtui(workspace: Workspace, database: Path) -> None:
    before = bytes_of(database)
    nuts, tabs = the(workspace, "hazelnuts"), the(workspace, "tabs over")
    workspace.pin([nuts])
    workspace.edit([nuts], {"title": "Nuts", "tags": ("food",)})
    workspace.relate(nuts, "supports", tabs)
    assert bytes_of(database) == before
    assert (memory(workspace, nuts).pinned, memory(workspace, nuts).title) == (True, "Nuts")


def test_a_memory_is_added_purged_and_taken_back(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    change = workspace.add(
        {"content": "Drinks oolong.", "category": "soft_preference", "title": "Tea"}, "mem-skill:assistant"
    )
    assert memory(workspace, change.ids[0]).key == "tea"
    assert found(database, "oolong") == {"tea"}
    workspace.undo()
    assert rows(database) == before
    workspace.purge([the(workspace, "hazelnuts")])
    assert found(database, "hazelnuts") == set()
    assert "hazelnuts" not in str(rows(database))


def test_a_fact_that_is_moved_away_comes_back_with_its_row(workspace: Workspace, database: Path) -> None:
    before = rows(database)
    workspace.move([the(workspace, "hazelnuts")], "native")
    assert asked(database, "SELECT 1 FROM facts WHERE fact_id = ?", NUTS) == []
    workspace.undo()
    assert rows(database) == before


def test_a_fact_of_another_store_is_copied_here(workspace: Workspace, database: Path, tmp_path: Path) -> None:
    change = workspace.add({"content": "Squash before merging.", "category": "convention"})
    copied = workspace.copy(list(change.ids), "mem-skill:assistant")
    assert copied is not None
    ((key, category, status),) = asked(
        database, "SELECT key, category, status FROM facts WHERE value_text = 'Squash before merging.'"
    )
    assert (key, category, status) == ("squash_before_merging", "other", "active")


@pytest.mark.parametrize("lines", [(LINE,), ()], ids=["in a history", "in an empty history"])
def test_what_was_redone_beside_a_later_change_leaves_no_time_and_no_number(
    workspace: Workspace, tmp_path: Path, lines: tuple[dict[str, Any], ...]
) -> None:
    path = make(tmp_path / "mem.db", lines=lines)
    workspace.attach(path)
    before, nuts = rows(path), the(workspace, "hazelnuts")
    first = workspace.confirm([nuts]).journal_id
    second = workspace.edit([nuts], {"content": "Allergic to walnuts."}).journal_id
    workspace.undo(first)
    workspace.redo()
    workspace.undo(second)
    workspace.undo(first)
    assert rows(path) == before


def test_what_left_again_once_a_later_change_was_made_takes_its_number_back(
    workspace: Workspace, database: Path
) -> None:
    before, nuts = rows(database), the(workspace, "hazelnuts")
    left = workspace.move([nuts], "native").change.journal_id
    later = workspace.confirm([the(workspace, "tabs over")]).journal_id
    back = workspace.restore([nuts]).journal_id
    for line in (back, later, left):
        workspace.undo(line)
    assert rows(database) == before


def test_archived_facts_are_shown_and_stay_as_they_are(workspace: Workspace, database: Path) -> None:
    emacs = the(workspace, "Emacs")
    assert memory(workspace, emacs).status == "superseded"
    before = bytes_of(database)
    assert "history" in refusal(lambda: workspace.edit([emacs], {"content": "Used vi."})).message
    assert "history" in refusal(lambda: workspace.restore([emacs])).message
    assert bytes_of(database) == before


def test_the_audit_is_shown_with_its_memory(workspace: Workspace, database: Path) -> None:
    nuts = the(workspace, "hazelnuts")
    workspace.edit([nuts], {"content": "Allergic to walnuts."})
    detail = workspace.detail(nuts)
    assert detail is not None
    assert [(beside.kind, beside.text) for beside in detail.related_records] == [
        (
            "history",
            "update: “Allergic to hazelnuts.” → “Allergic to walnuts.” (edited by a person in memtui)",
        )
    ]
    assert "fact_history" in detail.consequences["dismiss"]


def test_an_immutable_audit_tells_of_the_undo(workspace: Workspace, tmp_path: Path) -> None:
    path = make(tmp_path / "stern" / "mem.db", more=GUARDS)
    workspace.attach(path)
    before = rows(path)["facts"]
    workspace.dismiss([the(workspace, "hazelnuts")])
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
    workspace.attach(make(tmp_path / "odd" / "mem.db", more=more))
    assert "spy" in refusal(lambda: workspace.dismiss([the(workspace, "hazelnuts")])).message


# -- agents beside us


def test_a_field_that_an_agent_changed_is_a_conflict(workspace: Workspace, database: Path) -> None:
    nuts = the(workspace, "hazelnuts")
    agent_sets(database, "UPDATE facts SET value_text = 'Theirs.' WHERE fact_id = ?", NUTS)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([nuts], {"content": "Ours."})
    assert conflict.value.theirs == {"content": "Theirs."}
    assert value(database, NUTS, "value_text") == "Theirs."
    assert actions(database) == []


def test_what_an_agent_makes_of_another_field_blocks_nothing(workspace: Workspace, database: Path) -> None:
    nuts = the(workspace, "hazelnuts")
    agent_sets(database, "UPDATE facts SET confidence = 0.99, embedding_id = 'e9' WHERE fact_id = ?", NUTS)
    workspace.edit([nuts], {"content": "Allergic to walnuts."})
    workspace.undo()
    assert (value(database, NUTS, "confidence"), value(database, NUTS, "value_text")) == (
        0.99,
        "Allergic to hazelnuts.",
    )


def test_what_an_agent_removed_is_put_back(workspace: Workspace, database: Path) -> None:
    city = the(workspace, "Lisbon")
    before = rows(database)["facts"][1]
    agent_sets(database, "DELETE FROM facts WHERE fact_id = ?", CITY)
    workspace.pull()
    workspace.restore([city])
    ((now),) = [row for row in rows(database)["facts"].values() if row["fact_id"][1] == CITY]
    again = ("updated_at", "event_time")  # now, and a day that is a moment now
    assert {n: v for n, v in now.items() if n not in again} == {
        n: v for n, v in before.items() if n not in again
    }


def test_a_fact_that_its_agent_archives_stays_the_memory_that_it_was(
    workspace: Workspace, database: Path
) -> None:
    tabs = the(workspace, "tabs over")
    uid = memory(workspace, tabs).uid
    workspace.pin([tabs])
    workspace.edit([tabs], {"tags": ["style"]})
    archive(database, TABS)
    assert workspace.pull().changes == {"mem-skill:assistant": (0, 1, 0)}
    now = memory(workspace, tabs)
    assert (now.uid, now.status, now.pinned, now.tags) == (uid, "superseded", True, ("style",))
    assert stands_at(workspace, tabs) == "facts_archive, fact indentation"
    assert workspace.journal()[0].summary == "mem-skill:assistant: 1 changed"
    assert "history" in refusal(lambda: workspace.edit([tabs], {"content": "Spaces."})).message
    names = ", ".join(COLUMNS)
    alter(
        database,
        f"INSERT INTO facts ({names}) SELECT {names} FROM facts_archive WHERE fact_id = '{TABS}'",
        f"DELETE FROM facts_archive WHERE fact_id = '{TABS}'",
    )
    assert workspace.pull().changes == {"mem-skill:assistant": (0, 1, 0)}
    workspace.edit([tabs], {"content": "Spaces."})
    assert (memory(workspace, tabs).uid, value(database, TABS, "value_text")) == (uid, "Spaces.")


def test_what_was_changed_before_its_agent_archived_it_cannot_be_taken_back(
    workspace: Workspace, database: Path
) -> None:
    workspace.edit([the(workspace, "tabs over")], {"content": "Prefers spaces."})
    archive(database, TABS)
    before = rows(database)
    assert "changed since" in refusal(workspace.undo).message
    assert rows(database) == before


def test_a_fact_with_a_copy_in_the_archive_is_moved_and_comes_back(
    workspace: Workspace, database: Path
) -> None:
    names = ", ".join(COLUMNS)
    alter(database, f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE key = 'allergy'")
    workspace.pull()
    nuts = the(workspace, "hazelnuts")
    before, uid = rows(database), memory(workspace, nuts).uid
    workspace.move([nuts], "native")
    workspace.pull()
    left = [memory(workspace, id) for id in workspace.search("hazelnuts", live=False).ids]
    assert {(each.store, each.status) for each in left} == {
        ("native", "confirmed"),
        ("mem-skill:assistant", "superseded"),
    }
    workspace.undo()
    workspace.pull()
    assert rows(database) == before
    (id,) = workspace.search("hazelnuts", live=False).ids
    assert (memory(workspace, id).status, value(database, NUTS, "status")) == ("confirmed", "active")
    assert memory(workspace, id).uid == uid


def test_a_fact_that_expired_elsewhere_is_given_again_once_restored(
    workspace: Workspace, database: Path
) -> None:
    german, before = the(workspace, "German"), rows(database)
    workspace.restore([german])
    assert (value(database, LANGUAGE, "status"), value(database, LANGUAGE, "valid_to")) == ("active", None)
    assert (memory(workspace, german).status, memory(workspace, german).valid_to) == ("confirmed", None)
    workspace.undo()
    assert rows(database) == before


def test_changes_in_a_large_store_are_pulled_part_by_part(workspace: Workspace, tmp_path: Path) -> None:
    many = [fact(f"id-{n}", f"key-{n}", f"Fact number {n}.") for n in range(700)]
    path = make(tmp_path / "large" / "mem.db", many, lines=(), archived=())
    workspace.attach(path)
    assert workspace.pull().total == 0
    agent_sets(path, "UPDATE facts SET value_text = 'Quite a zebra.' WHERE fact_id = 'id-650'")
    agent_sets(path, "DELETE FROM facts WHERE fact_id = 'id-3'")
    agent_sets(
        path, "INSERT INTO fact_history (fact_id, user_id, action, created_at) VALUES ('id-9', '', 'x', '')"
    )
    assert workspace.pull().changes == {"mem-skill:large": (0, 1, 1)}
    detail = workspace.detail(the(workspace, '"Fact number 9."'))
    assert detail is not None
    assert [beside.text for beside in detail.related_records] == ["x"]
    names = ", ".join(COLUMNS)
    alter(path, f"INSERT INTO facts_archive ({names}) SELECT {names} FROM facts WHERE fact_id = 'id-20'")
    workspace.pull()
    alter(path, "DELETE FROM facts WHERE fact_id = 'id-20'")
    workspace.pull()
    (id,) = workspace.search('"Fact number 20."', live=False).ids
    assert stands_at(workspace, id) == "facts_archive, fact key-20"


def test_the_doctor_names_what_is_odd_and_what_it_means(workspace: Workspace, tmp_path: Path) -> None:
    odd = [
        *FACTS,
        fact("other", "home_city", "Lives in Rome."),
        fact("late", "late", "Late.", valid_to="2020-01-01T00:00:00Z", confidence=1.3, value_json="{"),
    ]
    path = make(tmp_path / "odd" / "mem.db", odd, history="", search=())
    workspace.attach(path)
    found = {each.code: each for each in workspace.doctor() if each.store == "mem-skill:odd"}
    assert {"two-values", "odd-validity", "odd-confidence", "odd-json", "no-history", "no-search"} <= set(
        found
    )
    assert all(found[code].meaning == MEANINGS[code] for code in found if code in MEANINGS)


def test_a_made_store_works_from_the_start(workspace: Workspace, tmp_path: Path) -> None:
    info = workspace.create_store("mem-skill", tmp_path / "new" / "mem.db")
    change = workspace.add({"content": "Lives in Lisbon."}, info.name)
    workspace.dismiss(list(change.ids))
    workspace.undo()
    assert found(tmp_path / "new" / "mem.db", "Lisbon") == {"lives_in_lisbon"}
    assert MemSkill(tmp_path / "new" / "mem.db").read().findings == []


def test_a_change_that_the_store_cannot_take_changes_nothing(workspace: Workspace, tmp_path: Path) -> None:
    sql = "CREATE TABLE fact_history (fact_id TEXT, mood TEXT NOT NULL CHECK (mood IN ('glad', 'sad')))"
    path = make(tmp_path / "moody" / "mem.db", history=sql, lines=())
    workspace.attach(path)
    before = rows(path)
    with pytest.raises(Refused, match="takes no line of this change"):
        workspace.dismiss([the(workspace, "hazelnuts")])
    assert rows(path) == before
    assert memory(workspace, the(workspace, "hazelnuts")).status == "confirmed"
    assert memory(workspace, the(workspace, "Emacs")).ref == GONE
