"""Memories with equal texts are paired in a chain, which is repaired when one of them changes (S-41)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory.contradictions.comparison import parsed_memory
from memtui.memory.contradictions.judgement import judge
from memtui.memory.contradictions.pairs import DUPLICATE, Judgement
from memtui.workspace.contradictions import scan
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty

TEXT = "Walnuts lie in the cellar."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(create_empty(tmp_path / "w.db"), clock=Clock())
    yield workspace
    workspace.close()


def add(workspace: Workspace, content: str = TEXT) -> int:
    return workspace.add({"content": content}).ids[0]


def duplicate_pairs(workspace: Workspace) -> set[tuple[int, int]]:
    return {(pair.a, pair.b) for pair in workspace.pairs(family=DUPLICATE)}


def test_editing_the_first_of_equal_texts_pairs_the_others(
    workspace: Workspace,
) -> None:
    first, second, third = (add(workspace) for _ in range(3))
    workspace.scan()
    assert duplicate_pairs(workspace) == {(first, second), (first, third)}
    workspace.edit([first], {"content": "Zebras are striped."})
    workspace.scan()
    assert duplicate_pairs(workspace) == {(second, third)}
    assert workspace.queue_counts().unscanned == 0


def test_purging_the_first_of_equal_texts_pairs_the_others(workspace: Workspace) -> None:
    first, second, third = (add(workspace) for _ in range(3))
    workspace.scan()
    workspace.purge([first])
    workspace.scan()
    assert duplicate_pairs(workspace) == {(second, third)}


def test_a_queued_memory_is_not_part_of_the_chain(workspace: Workspace) -> None:
    first, second = add(workspace), add(workspace)
    workspace.scan()
    workspace.edit([first], {"content": "Zebras are striped."})
    third = add(workspace)
    workspace.scan()
    assert duplicate_pairs(workspace) == {(second, third)}


def test_equal_texts_in_two_concurrent_scans_are_paired(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = add(workspace), add(workspace)
    other = Workspace.open(workspace._ctx.path)
    real_store, calls = scan._Scan._store, [0]

    def store_after_other_scan(self: scan._Scan, *args: Any) -> None:
        calls[0] += 1
        if calls[0] == 1:  # after this scan looked for equal texts, another one does, and finishes first
            other.scan(ids=[first])
        real_store(self, *args)

    monkeypatch.setattr(scan._Scan, "_store", store_after_other_scan)
    workspace.scan(ids=[second])
    monkeypatch.undo()
    other.close()
    workspace.scan()
    assert duplicate_pairs(workspace) == {(first, second)}
    assert workspace.queue_counts().unscanned == 0


def test_a_pair_that_cannot_be_judged_does_not_block_the_scan(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    unjudgeable = add(workspace, f"{TEXT} Oddly.")
    first, second = add(workspace), add(workspace)

    def failing_judge(a: parsed_memory.ParsedMemory, b: parsed_memory.ParsedMemory, **more: Any) -> Judgement:
        if "Oddly" in f"{a} {b}":
            raise RecursionError("deep")
        return judge(a, b, **more)

    monkeypatch.setattr("memtui.workspace.contradictions.scan.judge", failing_judge)
    result = workspace.scan()
    assert (result.memories, result.remaining) == (3, 0)
    assert "2 pairs could not be checked" in result.limitation
    assert duplicate_pairs(workspace) == {(first, second)}
    assert unjudgeable not in {id for ids in duplicate_pairs(workspace) for id in ids}
