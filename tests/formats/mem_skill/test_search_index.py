"""mem-skill: changes and the store's own search index and triggers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.mem_skill import MemSkill
from memtui.formats.mem_skill.triggers import parse_trigger
from tests.formats.mem_skill.support import codes, history
from tests.support.stores.databases import execute
from tests.support.stores.mem_skill import EXTERNAL_FTS, JOB_FTS, NUTS, OWN_FTS, fts_keys, make, rows_in
from tests.support.stores.row_changes import apply_change, plan_change, undo

# -- search index


@pytest.mark.parametrize("search", [EXTERNAL_FTS, OWN_FTS], ids=["external content", "own content"])
def test_a_search_index_with_triggers_follows_every_change_and_its_undo(
    tmp_path: Path, search: Iterable[str]
) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=search))
    before = rows_in(store.root)
    plan = apply_change(store, "edit", NUTS, content="Allergic to walnuts.")
    assert (fts_keys(store.root, "walnuts"), fts_keys(store.root, "hazelnuts")) == ({"allergy"}, set())
    undo(store, plan)
    assert (fts_keys(store.root, "walnuts"), fts_keys(store.root, "hazelnuts")) == (set(), {"allergy"})
    plan = apply_change(store, "delete", NUTS)
    assert fts_keys(store.root, "hazelnuts") == set()
    undo(store, plan)
    assert fts_keys(store.root, "hazelnuts") == {"allergy"}
    plan = apply_change(store, "add", content="Grows a lemon tree.", key="tree")
    assert fts_keys(store.root, "lemon") == {"tree"}
    undo(store, plan)
    assert fts_keys(store.root, "lemon") == set()
    after = rows_in(store.root)
    assert {name: after[name] for name in ("facts", "fact_history", "facts_archive")} == {
        name: before[name] for name in ("facts", "fact_history", "facts_archive")
    }
    assert store.read().findings == []


def test_a_search_index_without_triggers_is_left_alone_and_support_says_so(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", search=JOB_FTS))
    execute(
        store.root,
        "INSERT INTO facts_fts SELECT fact_id, user_id, key, value_text FROM facts"
        " WHERE status IN ('active', 'pending_confirmation')",
    )
    assert store.read().findings == []
    apply_change(store, "edit", NUTS, content="Allergic to walnuts.")
    assert fts_keys(store.root, "hazelnuts") == {"allergy"}
    assert codes(store) == {"search-behind": "Search index facts_fts is stale (1 row differs)."}
    assert "the store's own search and the agent's vectors keep the old text" in (
        store.support_for("edit", "content").text
    )


def test_a_full_read_finds_an_outdated_search_index(store: MemSkill) -> None:
    execute(
        store.root, "DROP TRIGGER facts_au", "UPDATE facts SET value_text = 'Hates nuts.' WHERE rowid = 3"
    )
    assert codes(store) == {
        "search-behind": "Search index facts_fts is stale: its words differ from the facts."
    }
    execute(store.root, "DROP TRIGGER facts_ad", "DELETE FROM facts WHERE rowid = 3")
    assert codes(store) == {"search-behind": "Search index facts_fts is stale (1 row has no fact)."}


def test_texts_stay_unchanged_if_a_trigger_would_break_the_search_index(tmp_path: Path) -> None:
    trap = (
        "CREATE TRIGGER facts_au AFTER UPDATE ON facts BEGIN DELETE FROM facts_fts WHERE rowid = old.rowid;"
        " INSERT INTO facts_fts(rowid, key, value_text) VALUES (new.rowid, new.key, new.value_text); END"
    )
    store = MemSkill(make(tmp_path / "mem.db", search=(*EXTERNAL_FTS[:3], trap)))
    assert "search-trap" in codes(store)
    with pytest.raises(Refused, match="would break its search") as refusal:
        plan_change(store, "edit", NUTS, content="Allergic to walnuts.")
    assert refusal.value.code == "search-trap"
    undo(store, apply_change(store, "dismiss", NUTS))
    assert fts_keys(store.root, "hazelnuts") == {"allergy"}
    assert codes(store).keys() == {"search-trap"}


# -- triggers


@pytest.mark.parametrize(
    "body",
    [
        "UPDATE facts SET key = lower(key)",
        "DELETE FROM turns",
        "INSERT INTO turns VALUES (1)",
        "DELETE FROM fact_history WHERE fact_id = old.fact_id",
        "INSERT OR REPLACE INTO facts_archive (fact_id) VALUES (old.fact_id)",
        'DELETE FROM "turns" -- facts_fts',
        "INSERT INTO facts_fts (key) VALUES ('a'); UPDATE OR IGNORE [turns] SET a = 1",
    ],
)
def test_an_unknown_trigger_makes_the_store_read_only(tmp_path: Path, body: str) -> None:
    more = (
        "CREATE TABLE turns (a)",
        f"CREATE TRIGGER odd AFTER UPDATE OF key ON facts WHEN old.key = 'DELETE FROM' BEGIN {body}\n; END",
    )
    store = MemSkill(make(tmp_path / "mem.db", statements=more))
    assert store.locked_reason() == "Unknown trigger “odd” on facts; a change could fire it."


def test_the_effect_of_a_trigger_is_read_from_its_sql() -> None:
    sql = """CREATE TRIGGER IF NOT EXISTS "t" BEFORE update /* x */ OF [value_text], Status ON facts
        FOR EACH ROW WHEN new.status = 'BEGIN' -- BEGIN
        BEGIN INSERT INTO a SELECT replace(x, 'y', 'z') FROM b; REPLACE INTO `c` VALUES ('DELETE FROM d');
        INSERT OR IGNORE INTO main.e VALUES (1) ON CONFLICT DO UPDATE SET f = 1; END"""
    trigger = parse_trigger("t", "facts", sql)
    assert (trigger.event, trigger.before, trigger.columns) == (
        "UPDATE",
        True,
        frozenset({"value_text", "status"}),
    )
    assert trigger.writes == (("insert", "a"), ("replace", "c"), ("insert", "e"), ("update", "e"))
    assert trigger.condition.startswith(" new.status = 'BEGIN'")
    assert not trigger.raises


AUDIT = (
    "CREATE TRIGGER audit AFTER UPDATE ON facts WHEN old.value_text IS NOT new.value_text BEGIN"
    " INSERT INTO fact_history (fact_id, user_id, key, action, old_value, new_value, created_at) VALUES"
    " (old.fact_id, old.user_id, old.key, 'update', old.value_text, new.value_text, '2026'); END"
)


def test_a_history_row_written_by_a_trigger_is_not_written_twice(tmp_path: Path) -> None:
    store = MemSkill(make(tmp_path / "mem.db", statements=(AUDIT,)))
    plan = apply_change(store, "edit", NUTS, content="Allergic to walnuts.")
    assert [row["new_value"] for row in history(store, NUTS)] == ["Allergic to walnuts."]
    undo(store, plan)
    assert [row["new_value"] for row in history(store, NUTS)] == [
        "Allergic to walnuts.",
        "Allergic to hazelnuts.",
    ]
    assert "the store's own trigger logs it in fact_history" in store.support_for("edit", "content").text
    plan = apply_change(store, "dismiss", NUTS)  # the trigger does not fire for this
    assert [row["action"] for row in history(store, NUTS)] == ["update", "update", "expire"]
    undo(store, plan)
    assert len(history(store, NUTS)) == 2
