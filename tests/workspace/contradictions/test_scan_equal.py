"""Texts that are equal letter by letter stand in a chain: what becomes of it when a link changes (S-41)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.memory import contradictions
from memtui.memory.contradictions.pairs import DUPLICATE, Judgement
from memtui.workspace.contradictions import scan
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import empty

TEXT = "Walnuts lie in the cellar."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(empty(tmp_path / "w.db"), clock=Clock())
    yield workspace
    workspace.close()


def add(workspace: Workspace, content: str = TEXT) -> int:
    return workspace.add({"content": content}).ids[0]


def found(workspace: Workspace) -> set[tuple[int, int]]:
    return {(pair.a, pair.b) for pair in workspace.pairs(family=DUPLICATE)}


def test_when_the_first_one_says_something_else_the_others_are_held_against_each_other(
    workspace: Workspace,
) -> None:
    first, second, third = (add(workspace) for _ in range(3))
    workspace.sweep()
    assert found(workspace) == {(first, second), (first, third)}
    workspace.edit([first], {"content": "Zebras are striped."})
    workspace.sweep()
    assert found(workspace) == {(second, third)}
    assert workspace.review().unscanned == 0


def test_when_the_first_one_is_purged_too(workspace: Workspace) -> None:
    first, second, third = (add(workspace) for _ in range(3))
    workspace.sweep()
    workspace.purge([first])
    workspace.sweep()
    assert found(workspace) == {(second, third)}


def test_one_that_is_to_be_read_anew_is_no_link(workspace: Workspace) -> None:
    first, second = add(workspace), add(workspace)
    workspace.sweep()
    workspace.edit([first], {"content": "Zebras are striped."})
    third = add(workspace)
    workspace.sweep()
    assert found(workspace) == {(second, third)}


def test_equal_texts_that_two_sweeps_take_at_once_find_each_other(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = add(workspace), add(workspace)
    other = Workspace.open(workspace._ctx.path)
    keep, turns = scan._Sweep._keep, [0]

    def kept(self: scan._Sweep, *args: Any) -> None:
        turns[0] += 1
        if turns[0] == 1:  # it has looked for equal ones: now the other one does, and is done first
            other.sweep(ids=[first])
        keep(self, *args)

    monkeypatch.setattr(scan._Sweep, "_keep", kept)
    workspace.sweep(ids=[second])
    monkeypatch.undo()
    other.close()
    workspace.sweep()
    assert found(workspace) == {(first, second)}
    assert workspace.review().unscanned == 0


def test_a_pair_that_cannot_be_judged_keeps_nobody_waiting(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = add(workspace, f"{TEXT} Oddly.")
    first, second = add(workspace), add(workspace)
    judge = contradictions.judge

    def judged(a: contradictions.ParsedMemory, b: contradictions.ParsedMemory, **more: Any) -> Judgement:
        if "Oddly" in f"{a} {b}":
            raise RecursionError("deep")
        return judge(a, b, **more)

    monkeypatch.setattr(contradictions, "judge", judged)
    swept = workspace.sweep()
    assert (swept.memories, swept.remaining) == (3, 0)
    assert "2 pairs left out that could not be judged" in swept.limitation
    assert found(workspace) == {(first, second)}
    assert odd not in {id for ids in found(workspace) for id in ids}
