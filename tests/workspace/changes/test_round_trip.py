"""A memory copied from store to store keeps the fields that each supports, and lost ones are named (S-82)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats import registry
from memtui.memory.memory import Memory
from memtui.memory.results import TransferPreview
from memtui.workspace.changes.full_adds import TRANSFERRED
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, NATIVE, SAMPLE, find_id, memory
from tests.support.sizes import sample_cases

FORMATS = [each.format for each in registry.formats()]


def create_store(workspace: Workspace, tmp_path: Path, format: str) -> str:
    """Create an empty store of a format and return its name."""
    path = tmp_path / "made" / format
    path.mkdir(parents=True)
    name = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(format, "")
    return workspace.create_store(format, path / name if name else path, format).name


def copy_to(workspace: Workspace, id: int, store: str) -> tuple[Memory, TransferPreview, int]:
    result = workspace.copy([id], store)
    (preview,) = result.previews
    assert not result.change.skipped
    return memory(workspace, result.change.ids[0]), preview, result.change.ids[0]


def assert_transferred(before: Memory, after: Memory, preview: TransferPreview) -> None:
    """Assert that every field was transferred or is named in the preview with its old and new value."""
    for name in TRANSFERRED:
        old, new = getattr(before, name), getattr(after, name)
        if name in preview.changed:
            assert preview.changed[name] == (old, new), name
        elif name in preview.lost:
            assert new != old, name
        elif name in ("created_at", "last_used_at", "last_confirmed_at") and old is not None:
            assert new is not None
            assert abs(new - old) < 1, name
        elif old not in (None, (), ""):
            assert new == old, name


def test_a_memory_keeps_its_fields_across_several_formats(workspace: Workspace, tmp_path: Path) -> None:
    first = find_id(workspace, SAMPLE[FOUNDER])
    workspace.pin([first], "always")
    start = memory(workspace, first)
    cognitive, base = (
        create_store(workspace, tmp_path, "cognitive"),
        create_store(workspace, tmp_path, "base-coat"),
    )
    at, before = first, start
    for store in (cognitive, base, NATIVE, base, cognitive, FOUNDER):
        after, preview, at = copy_to(workspace, at, store)
        assert_transferred(before, after, preview)
        before = after
    assert before.store == FOUNDER
    assert (start.key, before.key) == ("offer-currency", "offer-currency-2"), "the original still has its key"
    same = ("content", "category", "tags", "confidence", "pinned", "pinned_why", "source_ref", "times_used")
    for name in same:
        assert getattr(before, name) == getattr(start, name), name


@pytest.mark.parametrize("step", sample_cases(range(len(FORMATS)), 2))
@pytest.mark.parametrize("number", range(len(FORMATS)))
def test_copies_between_all_formats(workspace: Workspace, tmp_path: Path, number: int, step: int) -> None:
    """Copy a memory from a new store of one format to one of another, and undo a move of the copy."""
    source, target = FORMATS[number], FORMATS[(number + step) % len(FORMATS)]
    source_store = create_store(workspace, tmp_path, source)
    fields = {
        "content": "Invoices: net 30, “in francs” #1 🦊",
        "title": 'A "quoted": title',
        "subject": "acme:terms",
    }
    first = workspace.add(fields, source_store).ids[0]
    if source == target:
        return
    target_store = create_store(workspace, tmp_path, target)
    before = memory(workspace, first)
    after, preview, copy = copy_to(workspace, first, target_store)
    assert after.content == before.content
    assert_transferred(before, after, preview)
    path = Path(next(info.path for info in workspace.stores() if info.name == target_store))
    files = {f: f.read_bytes() for f in sorted(path.rglob("*")) if f.is_file()} if path.is_dir() else {}
    workspace.move([copy], NATIVE)
    workspace.undo()
    assert memory(workspace, copy) == after
    if files:
        assert files == {f: f.read_bytes() for f in sorted(path.rglob("*")) if f.is_file()}
    workspace.pull()
    assert memory(workspace, copy) == after
