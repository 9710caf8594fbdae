"""Splitting one memory into several in all formats (SPEC 7): the store's bytes, one undo, redo, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.memory.memory import Memory
from memtui.memory.splitting import cut, given_parts, proposed
from memtui.values import Fields
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, MCP, NATIVE, DemoWorkspace, agent_executes, find_id, memory
from tests.support.planted.plants import SECRET
from tests.support.stores.files import read_tree
from tests.support.stores.mem_skill import rows_in

FORMATS = [each.format for each in registry.formats()]
TEXT = "Acme pays late.\n\nAcme is in Bern.\n\nAsk Acme for its order number."
PARTS = ("Acme pays late.", "Acme is in Bern.", "Ask Acme for its order number.")


@pytest.fixture
def everywhere(tmp_path: Path) -> Iterator[tuple[Workspace, dict[str, Path]]]:
    """A workspace with a store of each format, with a memory to split between two others in each."""
    workspace = Workspace.open(tmp_path / "w.db")
    paths: dict[str, Path] = {}
    for format in (*FORMATS, NATIVE):
        if format != NATIVE:
            folder = tmp_path / "stores" / format
            folder.mkdir(parents=True)
            name = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(format, "")
            paths[format] = Path(workspace.create_store(format, folder / name, format).path)
        for number, text in enumerate(("Before it.", TEXT, "After it.")):
            fields: Fields = {
                "content": text,
                "title": f"Terms {number}",
                "subject": f"clients:Acme {number}",
            }
            fields |= {"tags": ("acme", "terms"), "expires_at": 4_000_000_000.0, "confidence": 0.6}
            if format == NATIVE or "key" in registry.by_name(format)(paths[format]).fields:
                fields["key"] = f"acme-terms-{number}"
            workspace.add(fields, format)
    yield workspace, paths
    workspace.close()


def stored(path: Path) -> Any:
    """Return what a store holds: the bytes of files, the rows of a database."""
    database = (
        path if path.suffix == ".db" else next(iter(path.glob("*.db")), None) if path.is_dir() else None
    )
    if database is not None:
        return rows_in(database)
    return path.read_bytes() if path.is_file() else read_tree(path)


def in_store(workspace: Workspace, store: str) -> list[Memory]:
    return workspace.memories(workspace.ids_in(store=store))


def to_split(workspace: Workspace, store: str) -> Memory:
    (found,) = (each for each in in_store(workspace, store) if each.content == TEXT)
    return found


@pytest.mark.parametrize("format", [*FORMATS, NATIVE])
def test_one_memory_becomes_three_and_one_undo_brings_the_store_back(
    everywhere: tuple[Workspace, dict[str, Path]], format: str
) -> None:
    workspace, paths = everywhere
    whole = to_split(workspace, format)
    id = workspace.find(whole.uid)
    workspace.pin([id], "legal")
    before = {name: stored(path) for name, path in paths.items()}
    shown = in_store(workspace, format)
    others = [each for each in shown if each.uid != whole.uid]
    preview = workspace.split_preview(id, PARTS)
    assert "1 stays, 2 new in " in preview.where
    assert {name: stored(path) for name, path in paths.items()} == before, "a preview writes nothing"

    change = workspace.split(id, PARTS)

    assert (change.kind, len(change.ids), change.ids[0]) == ("split", 3, id)
    parts = workspace.memories(change.ids)
    assert tuple(each.content for each in parts) == PARTS
    first, *new = parts
    assert (first.uid, first.key, first.pinned, first.pinned_why) == (whole.uid, whole.key, True, "legal")
    if len(preview.keys) == 2 and whole.key and whole.key.endswith("1"):
        assert [each.key for each in new] == list(preview.keys)
    assert len({each.key for each in parts if each.key}) == (3 if whole.key else 0)
    for each in new:
        for name in ("store", "kind", "category", "tags", "owner", "scope", "status", "expires_at"):
            assert getattr(each, name) == getattr(first, name), name
        assert each.confidence == pytest.approx(first.confidence) if first.confidence else True
        assert not each.pinned
        detail = workspace.detail(workspace.find(each.uid))
        assert detail is not None
        assert [(line.kind, line.uid) for line in detail.lineage] == [("based-on", whole.uid)]
        assert each.source_type == "split"
    assert [each for each in in_store(workspace, format) if each.uid in {o.uid for o in others}] == others
    for name, path in paths.items():
        assert (stored(path) == before[name]) is (name != format)
    after = {name: stored(path) for name, path in paths.items()}
    assert workspace.pull().total == 0
    assert workspace.memories(change.ids) == parts

    workspace.undo()
    assert {name: stored(path) for name, path in paths.items()} == before
    assert in_store(workspace, format) == shown
    workspace.redo()
    assert [each.content for each in workspace.memories(change.ids)] == list(PARTS)
    assert workspace.pull().total == 0
    workspace.undo()
    assert {name: stored(path) for name, path in paths.items()} == before
    assert after.keys() == before.keys()
