"""What `memtui export` writes, `memtui import` reads back: all fields of data, all texts of lists (S-74)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.export.exporter import Entry
from memtui.export.inert_text import decoded
from memtui.export.new_store import store_kinds, write_store
from memtui.export.registry import by_name
from memtui.export.statement import statement
from memtui.importing import sources
from memtui.importing.readers import jsonl
from memtui.memory.imported import Imported, Unreadable, Verdict
from memtui.memory.memory import Memory
from memtui.values import FieldValue, JsonObject
from memtui.workspace.workspace import Workspace
from tests.export.test_hostile import BREAKING
from tests.support.demo_workspace import MCP

# Texts that look like what an export or a list has around them.
TRICKY = {
    **BREAKING,
    "fence": "Run\n```\nmake\n- all",
    "closed fence": "```sh\nls\n```",
    "blank lines": "one\n\n\n \ntwo\n  indented\n\ttab",
    "rule": "***",
    "rule below": "above\n---\nbelow\n**Bold:**\n# heading",
    "origin": "text\n  \n*native · 90%*",
    "escaped tag": "\\<b> and \\\\<i> <b>",
    "entities": "&lt;memory&gt; &amp;amp; &#10;",
    "list": "- one\n- two",
    "apostrophe": "'=1 ''-x",
    "escape": "\\u001b \\\\u0041 \\U0001f600",
}
VALUES: tuple[FieldValue, ...] = (
    "5",
    5,
    "true",
    True,
    '{"a": 1}',
    {"a": "1"},
    '"',
    "plain",
    "[x",
    "-1",
    -1.5,
)
LEFT = ("store", "ref")  # where a memory is


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "empty.db")
    yield workspace
    workspace.close()


@pytest.fixture
def full(workspace: Workspace) -> Workspace:
    """The demo's stores, with texts that are hard to read back."""
    for name, text in TRICKY.items():
        workspace.add({"content": text, "title": name, "tags": (text, "a, b"), "category": text[:9]})
    found = [Imported(0, {"content": f"Value {n}", "value": each}) for n, each in enumerate(VALUES)]
    values = workspace.import_memories(workspace.import_preview(found).items)
    workspace.supersede(values.ids[:2], values.ids[2])
    return workspace


def exported(workspace: Workspace, name: str, path: Path) -> list[Memory]:
    """Write all memories with a text as `memtui export --as` does, and return them."""
    exporter = by_name(name)
    assert exporter is not None
    candidates = workspace.candidates(workspace.search("", live=False).ids)
    entries = [Entry(each) for each in candidates if each.memory.content.strip() or each.memory.title]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(exporter.render(entries).text)
    return [each.candidate.memory for each in entries]


def compared(memory: Memory, *, blank: bool) -> JsonObject:
    """Return the fields that are read back; in a table an empty text is none, so both are `blank`."""
    fields = {name: value for name, value in memory.to_json().items() if name not in LEFT}
    return {name: value or None if blank and value == "" else value for name, value in fields.items()}


@pytest.mark.parametrize("name", ["jsonl", "json", "csv"])
def test_all_fields_of_data_come_back(full: Workspace, empty: Workspace, tmp_path: Path, name: str) -> None:
    memories = exported(full, name, tmp_path / f"all.{name}")
    preview = empty.import_preview(sources.read(tmp_path / f"all.{name}"))
    assert not preview.ignored
    assert preview.counts[Verdict.REFUSED] == 0
    chosen = [each for each in preview.items if each.verdict is not Verdict.SAME]
    restored = empty.memories(empty.import_memories(chosen).ids)
    items = zip(preview.items, memories, strict=True)
    kept = [memory for item, memory in items if item.verdict is not Verdict.SAME]
    assert len(kept) > 80
    for memory, twin in zip(kept, restored, strict=True):
        assert compared(twin, blank=name == "csv") == compared(memory, blank=name == "csv")
    assert any(each.superseded_by for each in restored)


def test_uids_that_are_taken_stay_with_their_memories(empty: Workspace) -> None:
    def imported(*lines: dict[str, str]) -> list[Memory]:
        text = "".join(json.dumps(each) + "\n" for each in lines)
        items = empty.import_preview(jsonl.read(text)).items
        return empty.memories(empty.import_memories(items).ids)

    old, new, missing = "a" * 12, "b" * 12, "c" * 12
    first = imported(
        {"content": "Old", "uid": old, "superseded_by": new, "status": "superseded"},
        {"content": "New", "uid": new},
    )
    assert [(each.uid, each.superseded_by) for each in first] == [(old, new), (new, None)]
    again = imported(
        {"content": "Other", "uid": old, "superseded_by": new},
        {"content": "Lost", "superseded_by": missing},
        {"content": "Hostile", "uid": "../../etc/up"},
        {"content": "Twice", "uid": missing},
        {"content": "Twice more", "uid": missing},
    )
    assert [each.superseded_by for each in again] == [new, missing, None, None, None]
    uids = [each.uid for each in again]
    assert len({*uids, old, new}) == 7
    assert uids[3] == missing
    empty.undo()
    assert [each.content for each in empty.memories(empty.search("", live=False).ids)] == ["New", "Old"]


def test_memories_without_a_time_make_the_same_store_again(workspace: Workspace, tmp_path: Path) -> None:
    """The clock of the fixture goes on."""
    ids = sorted(workspace.ids_in(store=MCP))
    made = []
    for name in ("one", "two"):
        path, kind = tmp_path / name, store_kinds()["founder-os-store"]
        write_store(kind, path, workspace.memories(ids), workspace.seen_at(ids))
        made.append(path.read_bytes())
        workspace.add({"content": f"Something else, {name}."})
    assert made[0] == made[1]


@pytest.mark.parametrize("name", ["prompt", "markdown", "xml"])
def test_all_texts_of_lists_come_back(full: Workspace, tmp_path: Path, name: str) -> None:
    path = tmp_path / {"prompt": "all.md", "markdown": "list.md", "xml": "all.xml"}[name]
    memories = exported(full, name, path)
    found = list(sources.read(path))
    assert [each for each in found if isinstance(each, Unreadable)] == []
    texts = sorted(str(each.fields["content"]).strip() for each in found if isinstance(each, Imported))
    assert texts == sorted(decoded(statement(each)).strip() for each in memories)
    if name == "xml":
        assert [each.fields.get("pinned", False) for each in found if isinstance(each, Imported)] == [
            each.pinned for each in memories
        ]
