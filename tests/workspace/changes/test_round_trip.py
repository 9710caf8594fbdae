"""A memory that is copied from store to store and back keeps what each can hold; the rest is named (S-82)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.formats import registry
from memtui.memory.memory import Memory
from memtui.memory.results import TransferPreview
from memtui.workspace.changes.transfer import TRANSFERRED
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import FOUNDER, NATIVE, SAMPLE, find_id, memory
from tests.support.sizes import sample_cases

FORMATS = [each.format for each in registry.formats()]


def made(workspace: Workspace, tmp_path: Path, format: str) -> str:
    """An empty store of a format, by its name."""
    place = tmp_path / "made" / format
    place.mkdir(parents=True)
    name = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(format, "")
    return workspace.create_store(format, place / name if name else place, format).name


def carried(workspace: Workspace, id: int, store: str) -> tuple[Memory, TransferPreview, int]:
    done = workspace.copy([id], store)
    (told,) = done.previews
    assert not done.change.skipped
    return memory(workspace, done.change.ids[0]), told, done.change.ids[0]


def agrees(was: Memory, now: Memory, told: TransferPreview) -> None:
    """Every field either went along or is named, with what it said and says."""
    for name in TRANSFERRED:
        one, other = getattr(was, name), getattr(now, name)
        if name in told.changed:
            assert told.changed[name] == (one, other), name
        elif name in told.lost:
            assert other != one, name
        elif name in ("created_at", "last_used_at", "last_confirmed_at") and one is not None:
            assert other is not None
            assert abs(other - one) < 1, name
        elif one not in (None, (), ""):
            assert other == one, name


def test_founder_os_cognitive_base_coat_native_and_back(workspace: Workspace, tmp_path: Path) -> None:
    first = find_id(workspace, SAMPLE[FOUNDER])
    workspace.pin([first], "always")
    start = memory(workspace, first)
    cognitive, base = made(workspace, tmp_path, "cognitive"), made(workspace, tmp_path, "base-coat")
    at, was = first, start
    for store in (cognitive, base, NATIVE, base, cognitive, FOUNDER):
        now, told, at = carried(workspace, at, store)
        agrees(was, now, told)
        was = now
    assert was.store == FOUNDER
    assert (start.key, was.key) == ("offer-currency", "offer-currency-2"), "the original still has its key"
    same = ("content", "category", "tags", "confidence", "pinned", "pinned_why", "source_ref", "times_used")
    for name in same:
        assert getattr(was, name) == getattr(start, name), name


@pytest.mark.parametrize("step", sample_cases(range(len(FORMATS)), 2))
@pytest.mark.parametrize("number", range(len(FORMATS)))
def test_every_format_to_every_other(workspace: Workspace, tmp_path: Path, number: int, step: int) -> None:
    """Through new stores: what is added in one is copied to the other, told, and undone."""
    source, target = FORMATS[number], FORMATS[(number + step) % len(FORMATS)]
    one = made(workspace, tmp_path, source)
    fields = {
        "content": "Invoices: net 30, “in francs” #1 🦊",
        "title": 'A "quoted": title',
        "subject": "acme:terms",
    }
    first = workspace.add(fields, one).ids[0]
    if source == target:
        return
    other = made(workspace, tmp_path, target)
    was = memory(workspace, first)
    now, told, copy = carried(workspace, first, other)
    assert now.content == was.content
    agrees(was, now, told)
    place = Path(next(info.path for info in workspace.stores() if info.name == other))
    files = {f: f.read_bytes() for f in sorted(place.rglob("*")) if f.is_file()} if place.is_dir() else {}
    workspace.move([copy], NATIVE)
    workspace.undo()
    assert memory(workspace, copy) == now
    if files:
        assert files == {f: f.read_bytes() for f in sorted(place.rglob("*")) if f.is_file()}
    workspace.pull()
    assert memory(workspace, copy) == now
