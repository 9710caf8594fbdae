"""Relations of minions, Base Coat and MCP files are updated in place, and nothing else changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.plans import Plan, Write
from memtui.formats.contract.records import Link
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.minions import Minions
from tests.support.stores import mcp_memory, minions, rows_in
from tests.support.stores.base_coat import FEED, SQLITE, TABS, TESTS
from tests.support.stores.base_coat import make as make_coat
from tests.support.stores.databases import execute
from tests.support.stores.files import NOW, apply, read_tree, undo
from tests.support.stores.minions import AT, item, minion, read_minion, relative_path, uid

FIRST, SECOND = uid(1), uid(2)


def updated(link: Link, **new: Any) -> Write:
    return Write("retie", link.source, {}, {}, NOW, replace(link, **new), previous_link=link)


def reversed_link(link: Link, **new: Any) -> Write:
    return updated(link, source=link.target, target=link.source, **new)


def removed(link: Link) -> Write:
    return Write("unrelate", link.source, {}, {}, NOW, link)


# -- minions


def contradiction(number: int, first: str, second: str, **more: Any) -> dict[str, Any]:
    fields = {"memoryIdA": first, "memoryIdB": second, "detectedAt": AT, "resolution": "unresolved", **more}
    return minion(number, "contradiction", fields)


def store_with(folder: Path, *contradictions: dict[str, Any]) -> Minions:
    return minions.make(folder, item(1, "day", "Monday."), item(2, "other", "Friday."), *contradictions)


def changed_files(store: Minions, before: dict[str, bytes]) -> set[str]:
    return {name for name, data in read_tree(store.root).items() if before.get(name) != data}


@pytest.mark.parametrize("change", [removed, reversed_link])
def test_of_two_opposite_contradictions_only_one_is_changed(tmp_path: Path, change: Any) -> None:
    forward, backward = contradiction(11, FIRST, SECOND), contradiction(12, SECOND, FIRST)
    store = store_with(tmp_path, forward, backward)
    before = read_tree(store.root)
    for number, link in ((11, Link(FIRST, "contradicts", SECOND)), (12, Link(SECOND, "contradicts", FIRST))):
        if change is reversed_link:
            link = replace(link, context="")
            plans = apply(store, reversed_link(link, context="so"))
        else:
            plans = apply(store, change(link))
        assert changed_files(store, before) == {relative_path(uid(number))}
        undo(store, plans)
        assert read_tree(store.root) == before


@pytest.mark.parametrize("change", [removed, reversed_link])
def test_of_two_contradictions_the_one_with_the_reason_is_changed(tmp_path: Path, change: Any) -> None:
    several = (
        contradiction(11, FIRST, SECOND, description="the  day"),
        contradiction(12, FIRST, SECOND, description="the day"),
    )
    store = store_with(tmp_path, *several)
    before = read_tree(store.root)
    apply(store, change(Link(FIRST, "contradicts", SECOND, context="the day")))
    assert changed_files(store, before) == {relative_path(uid(12))}


def test_without_a_matching_reason_only_one_contradiction_is_changed(tmp_path: Path) -> None:
    store = store_with(
        tmp_path, *(contradiction(n, FIRST, SECOND, description=f"reason {n}") for n in (11, 12))
    )
    before = read_tree(store.root)
    apply(store, removed(Link(FIRST, "contradicts", SECOND, context="another")))
    assert len(changed_files(store, before)) == 1


def test_equal_contradictions_are_one_relation(tmp_path: Path) -> None:
    store = store_with(tmp_path, *(contradiction(n, FIRST, SECOND, description="so") for n in (11, 12)))
    before = read_tree(store.root)
    plans = apply(store, reversed_link(Link(FIRST, "contradicts", SECOND, context="so")))
    assert changed_files(store, before) == {relative_path(uid(n)) for n in (11, 12)}
    undo(store, plans)
    assert read_tree(store.root) == before


def test_a_reversed_contradiction_keeps_the_lines_of_its_reason(tmp_path: Path) -> None:
    store = store_with(tmp_path, contradiction(11, FIRST, SECOND, description="On\nMonday,\n\n or Friday. "))
    before = read_tree(store.root)
    link = store.read().links[0]
    assert link.context == "On\nMonday,\n\n or Friday. "
    (plan,) = apply(store, reversed_link(link, context="On Monday, or Friday."))
    assert read_minion(store.root, 11)["fields"]["description"] == link.context
    assert read_minion(store.root, 11)["fields"]["memoryIdA"] == SECOND
    undo(store, [plan])
    assert read_tree(store.root) == before


def test_an_existing_contradiction_is_not_added_twice(tmp_path: Path) -> None:
    store = store_with(tmp_path, contradiction(11, FIRST, SECOND), contradiction(12, SECOND, FIRST))
    (refusal,) = store.plan([reversed_link(Link(FIRST, "contradicts", SECOND))])
    assert isinstance(refusal, Refused)
    assert "already have this relation" in refusal.message


# -- Base Coat

KEYS = {
    "pair": "PRIMARY KEY (from_id, to_id)",
    "pair and kind": "PRIMARY KEY (from_id, to_id, relation_type)",
    "nothing": "CHECK (1)",
}


def make_store(folder: Path, key: str, *relation_rows: tuple[str, str, str | None]) -> BaseCoat:
    """Return a Base Coat store whose relations have more columns than memtui knows."""
    path = make_coat(folder / "memory.db", relations=None)
    columns = "from_id TEXT, created_at TEXT DEFAULT 'now', to_id TEXT, relation_type TEXT, note TEXT"
    execute(path, f"CREATE TABLE memory_relations ({columns}, {KEYS[key]})")
    for source, target, kind in relation_rows:
        values = ", ".join("NULL" if value is None else f"'{value}'" for value in (source, target, kind))
        execute(
            path,
            "INSERT INTO memory_relations (from_id, to_id, relation_type, created_at, note)"
            f" VALUES ({values}, '2026-01-01', 'by hand')",
        )
    return BaseCoat(path)


def apply_change(store: BaseCoat, change: Write) -> Plan:
    (plan,) = store.plan([change])
    if isinstance(plan, Refused):
        raise plan
    plan = store.load_plan(json.loads(json.dumps(store.dump_plan(plan))))
    store.apply([plan], "t")
    return plan


def relation_rows(store: BaseCoat) -> list[tuple[Any, ...]]:
    values = rows_in(store.root)["memory_relations"].values()
    names = ("from_id", "relation_type", "to_id", "created_at", "note")
    return sorted(tuple(row[name][1] for name in names) for row in values)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("new", [{}, {"kind": "refines"}])
@pytest.mark.parametrize("change", [updated, reversed_link])
def test_an_update_keeps_other_columns_and_undo_restores_the_row(
    tmp_path: Path, key: str, new: dict[str, str], change: Any
) -> None:
    if change is updated and not new:
        return
    more = [(FEED, TESTS, "contradicts")] if key != "pair" and change is updated else []
    store = make_store(tmp_path, key, (FEED, TESTS, "supports"), (SQLITE, TABS, "supports"), *more)
    before, link = rows_in(store.root), Link(FEED, "supports", TESTS)
    plan = apply_change(store, change(link, **new))
    ends = (FEED, TESTS) if change is updated else (TESTS, FEED)
    assert (ends[0], new.get("kind", "supports"), ends[1], "2026-01-01", "by hand") in relation_rows(store)
    assert len(relation_rows(store)) == 2 + len(more)
    after = rows_in(store.root)
    (reversal,) = store.reverse([plan])
    assert isinstance(reversal, Plan)
    store.apply([reversal], "t")
    assert rows_in(store.root) == before
    (redone,) = store.reverse([reversal])
    assert isinstance(redone, Plan)
    store.apply([redone], "t")
    assert rows_in(store.root) == after


@pytest.mark.parametrize("key", KEYS)
def test_an_existing_relation_is_refused(tmp_path: Path, key: str) -> None:
    more = [(FEED, TESTS, "refines")] if key != "pair" else []
    store = make_store(tmp_path, key, (FEED, TESTS, "supports"), (TESTS, FEED, "supports"), *more)
    before, link = rows_in(store.root), Link(FEED, "supports", TESTS)
    changes = [
        reversed_link(link),
        reversed_link(link, kind="contradicts"),
        *([updated(link, kind="refines")] if more else []),
    ]
    for change in changes:
        with pytest.raises(Refused, match=r"They already have (?:this|a) relation"):
            apply_change(store, change)
    with pytest.raises(Refused, match="Invalid relation"):
        apply_change(store, updated(link, kind="loves"))
    assert rows_in(store.root) == before


# -- MCP


@pytest.mark.parametrize("change", [updated, reversed_link])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_foreign_keys_of_a_line_stay(tmp_path: Path, change: Any, ending: str) -> None:
    graph = mcp_memory.lines(*mcp_memory.GRAPH[:3])
    stored = (
        '{ "weight" : 1.50, "from" : "Bo", "_note":{"to":"x"}, "relationType":"kn\\u006fws" ,'
        ' "to":"Ada L\\u00f6velace", "type":"relation", "by":["x" ] }'
    )
    data = ending.join([*graph, stored, stored, ""]).encode()
    store: McpMemory = mcp_memory.make(tmp_path / "memory.jsonl", data)
    link = Link("Bo", "knows", "Ada Lövelace")
    record = next(part for part in store.read().records if part.fields["subject"] == "Bo")
    plans = apply(store, replace(change(link, kind="wrote to"), ref=record.ref))
    new = stored.replace("kn\\u006fws", "wrote to")
    text = store.root.read_bytes().decode()
    if change is reversed_link:
        parts = text.split(ending)[3:5]
        assert [json.loads(part)["from"] for part in parts] == ["Ada Lövelace"] * 2
        assert all('{ "weight" : 1.50, "from" : "Ada L' in part and '"by":["x" ] }' in part for part in parts)
    else:
        assert text == ending.join([*graph, new, new, ""])
    undo(store, plans)
    assert store.root.read_bytes() == data
