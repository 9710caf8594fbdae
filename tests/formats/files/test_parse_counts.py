"""A change parses each file of a store once, and after that only the files it affects."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.formats import registry
from memtui.formats.base_coat_shared import BaseCoatShared
from memtui.formats.claude_code import ClaudeCode, document
from memtui.formats.cognitive import Cognitive
from memtui.formats.contract.records import Reading
from memtui.formats.mcp_memory import reader
from memtui.formats.media.files import tree
from memtui.formats.media.files.store import FileStore
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import rows
from tests.support.stores import base_coat_shared, claude_code, cognitive, mcp_memory

MANY_FILES = ("base-coat-shared", "claude-code", "cognitive")


@pytest.fixture(params=(*MANY_FILES, "mcp-memory"))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    folder = tmp_path / "store"
    makers: dict[str, Callable[[], FileStore]] = {
        "base-coat-shared": lambda: base_coat_shared.make(folder),
        "claude-code": lambda: claude_code.make(folder / "memory"),
        "cognitive": lambda: cognitive.make(folder),
        "mcp-memory": lambda: mcp_memory.make(folder / "memory.jsonl"),
    }
    return makers[request.param]()


@pytest.fixture
def workspace(store: FileStore, tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "workspace.db")
    workspace.attach(store.root)
    yield workspace
    workspace.close()


class Counts:
    """Counts how often files were read from the disk, files parsed, and the whole store parsed."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.read: Counter[str] = Counter()
        self.parsed: Counter[str] = Counter()
        self.full_parses = 0
        self._count_files(patch, BaseCoatShared)
        self._count_files(patch, Cognitive)
        for kind in (tree.TreeStore, ClaudeCode):
            self._count_full_parses(patch, kind, "parse")
        self._count_notes(patch)
        self._count_lines(patch)
        self._count_reads(patch)

    def clear(self) -> None:
        self.read.clear()
        self.parsed.clear()
        self.full_parses = 0

    def _count_files(self, patch: pytest.MonkeyPatch, kind: type[tree.TreeStore]) -> None:
        parse = kind.parse_file

        def counted(self_: Any, name: str, data: bytes, files: Mapping[str, bytes]) -> Reading:
            self.parsed[name] += 1
            return parse(self_, name, data, files)

        patch.setattr(kind, "parse_file", counted)

    def _count_full_parses(self, patch: pytest.MonkeyPatch, kind: type[FileStore], method: str) -> None:
        parse = getattr(kind, method)

        def counted(self_: Any, files: Mapping[str, bytes]) -> Reading:
            self.full_parses += 1
            result: Reading = parse(self_, files)
            return result

        patch.setattr(kind, method, counted)

    def _count_notes(self, patch: pytest.MonkeyPatch) -> None:
        note = ClaudeCode._note

        def counted(self_: ClaudeCode, name: str, data: bytes) -> document.Note:
            before = self_._notes.get(name)
            result = note(self_, name, data)
            self.parsed[name] += result is not before
            return result

        patch.setattr(ClaudeCode, "_note", counted)

    def _count_lines(self, patch: pytest.MonkeyPatch) -> None:
        read = reader.read_parts

        def counted(name: str, data: bytes) -> Iterator[Reading]:
            self.parsed[name] += 1
            self.full_parses += 1
            return read(name, data)

        patch.setattr(reader, "read_parts", counted)

    def _count_reads(self, patch: pytest.MonkeyPatch) -> None:
        read = tree.bytes_of

        def counted(path: Any, *more: Any, **named: Any) -> bytes | None:
            self.read[Path(path).name] += 1
            return read(path, *more, **named)

        patch.setattr(tree, "bytes_of", counted)


def _wait_for_clock_tick() -> None:
    """Wait until the next tick of the file system clock: files written within one tick are read again."""
    time.sleep(0.05)


def _affected(store: FileStore, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[str]:
    """Return the changed files and those whose content depends on them."""
    names = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if isinstance(store, tree.TreeStore):
        for name in before.keys() & after.keys():
            needs = (store.depends_on_files(name, files[name], files) for files in (before, after))
            if next(needs) != next(needs):
                names.add(name)
    return names


def test_a_file_is_parsed_once_and_a_changed_one_once_more(
    store: FileStore, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = registry.by_name(store.format)
    id = next(
        id
        for id, row in rows(workspace).items()
        if row["content"] and row["ref"] and not kind.refusal_reason("edit", row["kind"])
    )
    counts = Counts(monkeypatch)
    for step in ("edit", "undo", "pin", "undo", "dismiss", "undo"):
        before = store.load()[0]
        _wait_for_clock_tick()
        counts.clear()
        if step == "edit":
            workspace.edit([id], {"content": "Tests need a zebra"})
        elif step == "undo":
            workspace.undo()
        else:
            getattr(workspace, step)([id])
        parsed, whole = dict(counts.parsed), counts.full_parses
        affected = _affected(store, before, store.load()[0])
        for name, count in parsed.items():
            assert count <= (2 if name in affected else 1), (step, name)
        # Undoing a pin of Cognitive Memory tries two reversals, because the file was moved.
        assert whole <= 3 if (step, store.format) == ("undo", "cognitive") else whole <= 2, step


@pytest.mark.parametrize("store", MANY_FILES, indirect=True)
def test_a_file_that_does_not_change_is_read_once(
    store: FileStore, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [id for id, row in rows(workspace).items() if row["content"] and row["ref"]]
    workspace.dismiss(ids[-1:])  # the first change of a day makes a backup
    counts = Counts(monkeypatch)
    before = store.load()[0]
    _wait_for_clock_tick()
    counts.clear()
    workspace.undo()
    read = dict(counts.read)
    affected = {Path(name).name for name in _affected(store, before, store.load()[0])}
    names = Counter(Path(name).name for name in before)
    assert read
    for name, count in read.items():
        if name not in affected and not name.startswith("_"):
            assert count <= names[name], name
