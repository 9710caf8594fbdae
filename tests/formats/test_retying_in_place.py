"""Relations of minions, Base Coat and MCP files are changed where they stand, and nothing beside them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Refused
from memtui.formats.base_coat import BaseCoat
from memtui.formats.contract.adapter import Link, Planned, Write
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.minions import Minions
from tests.support.stores import mcp_memory, minions, rows_in
from tests.support.stores.base_coat import FEED, SQLITE, TABS, TESTS
from tests.support.stores.base_coat import make as make_coat
from tests.support.stores.databases import alter
from tests.support.stores.files import NOW, do, tree, undo
from tests.support.stores.minions import AT, item, minion, place, told, uid

ONE, OTHER = uid(1), uid(2)


def retied(was: Link, **new: Any) -> Write:
    return Write("retie", was.source, {}, {}, NOW, replace(was, **new), was=was)


def turned(was: Link, **new: Any) -> Write:
    return retied(was, source=was.target, target=was.source, **new)


def unrelated(was: Link) -> Write:
    return Write("unrelate", was.source, {}, {}, NOW, was)


# -- minions


def against(number: int, one: str, other: str, **more: Any) -> dict[str, Any]:
    fields = {"memoryIdA": one, "memoryIdB": other, "detectedAt": AT, "resolution": "unresolved", **more}
    return minion(number, "contradiction", fields)


def disputed(folder: Path, *told: dict[str, Any]) -> Minions:
    return minions.make(folder, item(1, "day", "Monday."), item(2, "other", "Friday."), *told)


def touched(store: Minions, before: dict[str, bytes]) -> set[str]:
    return {name for name, data in tree(store.root).items() if before.get(name) != data}


@pytest.mark.parametrize("asked", [unrelated, turned])
def test_of_two_that_lead_each_way_one_is_touched(tmp_path: Path, asked: Any) -> None:
    there, back = against(11, ONE, OTHER), against(12, OTHER, ONE)
    store = disputed(tmp_path, there, back)
    before = tree(store.root)
    for number, was in ((11, Link(ONE, "contradicts", OTHER)), (12, Link(OTHER, "contradicts", ONE))):
        if asked is turned:
            was = replace(was, context="")
            plans = do(store, turned(was, context="so"))
        else:
            plans = do(store, asked(was))
        assert touched(store, before) == {place(uid(number))}
        undo(store, plans)
        assert tree(store.root) == before


@pytest.mark.parametrize("asked", [unrelated, turned])
def test_of_two_with_reasons_the_one_that_says_so_is_touched(tmp_path: Path, asked: Any) -> None:
    several = (
        against(11, ONE, OTHER, description="the  day"),
        against(12, ONE, OTHER, description="the day"),
    )
    store = disputed(tmp_path, *several)
    before = tree(store.root)
    do(store, asked(Link(ONE, "contradicts", OTHER, context="the day")))
    assert touched(store, before) == {place(uid(12))}


def test_where_none_says_so_by_now_only_one_is_touched(tmp_path: Path) -> None:
    store = disputed(tmp_path, *(against(n, ONE, OTHER, description=f"reason {n}") for n in (11, 12)))
    before = tree(store.root)
    do(store, unrelated(Link(ONE, "contradicts", OTHER, context="another")))
    assert len(touched(store, before)) == 1


def test_all_that_say_the_same_are_one_relation(tmp_path: Path) -> None:
    store = disputed(tmp_path, *(against(n, ONE, OTHER, description="so") for n in (11, 12)))
    before = tree(store.root)
    plans = do(store, turned(Link(ONE, "contradicts", OTHER, context="so")))
    assert touched(store, before) == {place(uid(n)) for n in (11, 12)}
    undo(store, plans)
    assert tree(store.root) == before


def test_lines_of_a_reason_stay_where_only_the_way_changes(tmp_path: Path) -> None:
    store = disputed(tmp_path, against(11, ONE, OTHER, description="On\nMonday,\n\n or Friday. "))
    before = tree(store.root)
    was = store.read().links[0]
    assert was.context == "On\nMonday,\n\n or Friday. "
    (asked,) = do(store, turned(was, context="On Monday, or Friday."))
    assert told(store.root, 11)["fields"]["description"] == was.context
    assert told(store.root, 11)["fields"]["memoryIdA"] == OTHER
    undo(store, [asked])
    assert tree(store.root) == before


def test_a_contradiction_that_stands_is_not_made_twice(tmp_path: Path) -> None:
    store = disputed(tmp_path, against(11, ONE, OTHER), against(12, OTHER, ONE))
    (answer,) = store.plan([turned(Link(ONE, "contradicts", OTHER))])
    assert isinstance(answer, Refused)
    assert "related so already" in answer.message


# -- Base Coat

KEYS = {
    "a pair": "PRIMARY KEY (from_id, to_id)",
    "a pair and a kind": "PRIMARY KEY (from_id, to_id, relation_type)",
    "nothing": "CHECK (1)",
}


def coat(folder: Path, key: str, *rows: tuple[str, str, str | None]) -> BaseCoat:
    """A Base Coat whose relations have more columns than memtui knows."""
    path = make_coat(folder / "memory.db", relations=None)
    columns = "from_id TEXT, created_at TEXT DEFAULT 'now', to_id TEXT, relation_type TEXT, note TEXT"
    alter(path, f"CREATE TABLE memory_relations ({columns}, {KEYS[key]})")
    for source, target, kind in rows:
        said = ", ".join("NULL" if each is None else f"'{each}'" for each in (source, target, kind))
        alter(
            path,
            "INSERT INTO memory_relations (from_id, to_id, relation_type, created_at, note)"
            f" VALUES ({said}, '2026-01-01', 'by hand')",
        )
    return BaseCoat(path)


def done(store: BaseCoat, asked: Write) -> Planned:
    (plan,) = store.plan([asked])
    if isinstance(plan, Refused):
        raise plan
    plan = store.load_plan(json.loads(json.dumps(store.dump(plan))))
    store.carry_out([plan], "t")
    return plan


def rows(store: BaseCoat) -> list[tuple[Any, ...]]:
    found = rows_in(store.root)["memory_relations"].values()
    names = ("from_id", "relation_type", "to_id", "created_at", "note")
    return sorted(tuple(row[name][1] for name in names) for row in found)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("new", [{}, {"kind": "refines"}])
@pytest.mark.parametrize("change", [retied, turned])
def test_the_other_columns_stay_and_undo_gives_the_row_back(
    tmp_path: Path, key: str, new: dict[str, str], change: Any
) -> None:
    if change is retied and not new:
        return
    more = [(FEED, TESTS, "contradicts")] if key != "a pair" and change is retied else []
    store = coat(tmp_path, key, (FEED, TESTS, "supports"), (SQLITE, TABS, "supports"), *more)
    before, was = rows_in(store.root), Link(FEED, "supports", TESTS)
    plan = done(store, change(was, **new))
    ends = (FEED, TESTS) if change is retied else (TESTS, FEED)
    assert (ends[0], new.get("kind", "supports"), ends[1], "2026-01-01", "by hand") in rows(store)
    assert len(rows(store)) == 2 + len(more)
    after = rows_in(store.root)
    (back,) = store.reverse([plan])
    assert isinstance(back, Planned)
    store.carry_out([back], "t")
    assert rows_in(store.root) == before
    (again,) = store.reverse([back])
    assert isinstance(again, Planned)
    store.carry_out([again], "t")
    assert rows_in(store.root) == after


@pytest.mark.parametrize("key", KEYS)
def test_what_stands_already_is_refused_in_words(tmp_path: Path, key: str) -> None:
    more = [(FEED, TESTS, "refines")] if key != "a pair" else []
    store = coat(tmp_path, key, (FEED, TESTS, "supports"), (TESTS, FEED, "supports"), *more)
    before, was = rows_in(store.root), Link(FEED, "supports", TESTS)
    asked = [turned(was), turned(was, kind="contradicts"), *([retied(was, kind="refines")] if more else [])]
    for each in asked:
        with pytest.raises(Refused, match="They are related so already"):
            done(store, each)
    with pytest.raises(Refused, match="Invalid relation"):
        done(store, retied(was, kind="loves"))
    assert rows_in(store.root) == before


# -- MCP


@pytest.mark.parametrize("change", [retied, turned])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_keys_of_others_in_a_line_stay(tmp_path: Path, change: Any, ending: str) -> None:
    graph = mcp_memory.lines(*mcp_memory.GRAPH[:3])
    line = (
        '{ "weight" : 1.50, "from" : "Bo", "_note":{"to":"x"}, "relationType":"kn\\u006fws" ,'
        ' "to":"Ada L\\u00f6velace", "type":"relation", "by":["x" ] }'
    )
    data = ending.join([*graph, line, line, ""]).encode()
    store: McpMemory = mcp_memory.make(tmp_path / "memory.jsonl", data)
    was = Link("Bo", "knows", "Ada Lövelace")
    record = next(each for each in store.read().records if each.fields["subject"] == "Bo")
    plans = do(store, replace(change(was, kind="wrote to"), ref=record.ref))
    new = line.replace("kn\\u006fws", "wrote to")
    said = store.root.read_bytes().decode()
    if change is turned:
        parts = said.split(ending)[3:5]
        assert [json.loads(each)["from"] for each in parts] == ["Ada Lövelace"] * 2
        assert all('{ "weight" : 1.50, "from" : "Ada L' in each and '"by":["x" ] }' in each for each in parts)
    else:
        assert said == ending.join([*graph, new, new, ""])
    undo(store, plans)
    assert store.root.read_bytes() == data
