"""docs/agents-stores.md is true: each line of its tables is carried out on a store with one memory."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.workspace import Workspace
from tests.workspace.remember import (
    test_base_coat_path,
    test_cognitive_path,
    test_founder_os_path,
    test_mem_skill_path,
    test_minions_path,
)
from tests.workspace.remember.conftest import rows, tree

PAGE = Path(__file__).parents[3] / "docs" / "agents-stores.md"
TEXT, OTHER = "The office is open at nine.", "The office is open at ten."
TOLD: dict[str, dict[str, Any]] = {  # what a cell says is stored, as fields of the write
    "a new key": {"key": "dock", "content": "The dock is at gate 4."},
    "a new key, by pattern-detection": {
        "key": "dock", "content": "The dock is at gate 4.", "source_ref": "pattern-detection",
    },
    "a new subject": {"subject": "dock", "content": "The dock is at gate 4."},
    "a new title": {"title": "Dock", "content": "The dock is at gate 4.", "category": "decision"},
    "another text for the key": {"key": "office", "content": OTHER},
    "another text for the key, 1.0": {"key": "office", "content": OTHER, "confidence": 1.0},
    "a longer text for the key": {"key": "office", "content": "The office is open at nine on weekdays."},
    "the same text for the key": {"key": "office", "content": TEXT},
    "the same text": {"subject": "office", "title": "Office", "content": TEXT},
    "what contradicts it": {"subject": "office", "content": OTHER},
}  # fmt: skip
State = dict[str, dict[str, Any]]


def lines() -> Iterator[tuple[str, str, str, str]]:
    store = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            store = line[3:]
        elif line.startswith("| `"):
            call, before, after = (cell.strip() for cell in line.strip("|").split("|"))
            yield store, call.strip("`"), before.strip("`"), after


def values(text: str) -> dict[str, Any]:
    found = dict(part.split(" ", 1) for part in text.split(", ")) if text else {}
    return {name: _value(value) for name, value in found.items()}


def _value(text: str) -> Any:
    if text == "null":
        return None
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else text


def database(sql: str, insertion: str, path: Path, before: dict[str, Any], table: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(re.sub(r"(?s)INSERT INTO.*", "", sql))
        connection.execute(insertion, {"text": TEXT})
        for name, value in before.items():
            connection.execute(f"UPDATE {table} SET {name} = ?", (value,))


def of_tables(path: Path, table: str) -> Callable[[], State]:
    """Return what reads the first row of a table, the second, and the last of each other one."""

    def read() -> State:
        found = rows(path)
        kept = found.pop(table)
        newest = {name: each[-1] for name, each in found.items() if each}
        return {"row": kept[0], "new": kept[-1] if len(kept) > 1 else {}, **newest}

    return read


def founder_os(folder: Path, before: dict[str, Any]) -> tuple[Path, Callable[[], State]]:
    path = folder / "memory.db"
    row = "('i', 'office', 'fact', :text, 'P11', NULL, NULL, '[0.5]', 50, 'candidate', 0, 0, 1, 1, NULL)"
    database(test_founder_os_path.SQL, f"INSERT INTO memories VALUES {row}", path, before, "memories")
    return path, of_tables(path, "memories")


def base_coat(folder: Path, before: dict[str, Any]) -> tuple[Path, Callable[[], State]]:
    path = folder / "base.db"
    row = "('i', 'fact', 'office', :text, '', 1.0, '2026-01-01', NULL, 0, NULL, 'l4', 'cold', 0, 0, NULL)"
    database(test_base_coat_path.SQL, f"INSERT INTO memories VALUES {row}", path, before, "memories")
    return path, of_tables(path, "memories")


def mem_skill(folder: Path, before: dict[str, Any]) -> tuple[Path, Callable[[], State]]:
    path, at = folder / "mem.db", "2026-01-01T00:00:00Z"
    row = f"('i', 'ada', 'office', :text, NULL, 'other', 0.4, NULL, '{at}', NULL, 'active', 't', '', NULL, '{at}', '{at}')"  # noqa: E501
    database(test_mem_skill_path.SQL, f"INSERT INTO facts VALUES {row}", path, before, "facts")
    return path, of_tables(path, "facts")


def minions(folder: Path, before: dict[str, Any]) -> tuple[Path, Callable[[], State]]:
    root, id = folder / ".minions", test_minions_path.SHORT
    fields = {"agentId": "ada", "scope": "private", "key": "office", "value": TEXT, **before}
    test_minions_path.put(root, id, "memory-item", "office", **fields)

    def read() -> State:
        found = [json.loads(data) for data in tree(root).values()]
        by_type = {each["minionTypeId"].removeprefix("memory-"): each["fields"] for each in found}
        items = {each["id"]: each["fields"] for each in found if each["minionTypeId"].endswith("-item")}
        own = items.pop(id)
        return {**by_type, "row": own, "new": next(iter(items.values()), {})}

    return root, read


def cognitive(folder: Path, before: dict[str, Any]) -> tuple[Path, Callable[[], State]]:
    root, path = folder / "memory", test_cognitive_path.REDIS
    (root / path).parent.mkdir(parents=True)
    memory = test_cognitive_path.MEMORY.replace("Added socket_keepalive=True.", TEXT)
    (root / path).write_text(memory)
    (root / "_index.json").write_text(json.dumps(test_cognitive_path.INDEX))

    def head(text: str) -> dict[str, Any]:
        pairs = dict(re.findall(r"(?m)^(\w+): (.*)$", text))
        return {name: _value(value) for name, value in pairs.items()}

    def read() -> State:
        files = {name: data.decode() for name, data in tree(root).items()}
        new = next((text for name, text in files.items() if name.startswith("graph/decisions/")), "")
        days = "".join(text for name, text in files.items() if name.startswith("episodes/"))
        told = dict(re.findall(r"- \*\*(\w+):\*\* (.*)", days))
        index = json.loads(files["_index.json"])
        return {"row": head(files[path]), "new": head(new), "_index.json": index, "episodes": told}

    return root, read


MAKERS = {
    "Founder OS": founder_os,
    "Base Coat": base_coat,
    "minions": minions,
    "mem-skill": mem_skill,
    "Cognitive Memory": cognitive,
}


@pytest.mark.parametrize(("store", "call", "before", "after"), list(lines()))
def test_a_line_of_the_table_is_true(
    work: Workspace, tmp_path: Path, store: str, call: str, before: str, after: str
) -> None:
    path, read = MAKERS[store](tmp_path, values(before))
    work.attach(path, "store")
    first = read()
    category = "other" if store == "mem-skill" else "fact"
    fields: dict[str, Any] = {"category": category, **TOLD[call]}
    if store in ("minions", "Cognitive Memory"):
        fields = {name: value for name, value in fields.items() if name != "category" or value == "decision"}
    done = work.remember("ada", fields, "store")
    found, told = read(), re.findall(r"`([^:`]+): ([^`]*)`", after)
    assert told
    for where, expected in told:
        for name, value in values(expected).items():
            now = found[where][name]
            assert now == (pytest.approx(value) if isinstance(value, float) else value), (where, name)
    assert bool(found["new"]) == ("new" in dict(told))
    work.undo(done.change.journal_id)
    assert read() == first


def test_every_store_has_a_table() -> None:
    assert {store for store, *_ in lines()} == MAKERS.keys()
