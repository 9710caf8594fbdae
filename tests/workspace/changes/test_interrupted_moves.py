"""An interrupted or refused move never loses a memory, and can be undone (S-6, S-7)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.media.files.store import FileStore
from memtui.formats.media.sqlite.store import SqliteStore
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    all_contents,
    find_id,
    memory,
)
from tests.support.sizes import shard

PAIRS = [
    (NATIVE, FOUNDER),
    (FOUNDER, NATIVE),
    (MCP, FOUNDER),
    (FOUNDER, CLAUDE),
    (NATIVE, MCP),
    (CLAUDE, NATIVE),
]


class Interrupted(Exception):
    """Stands for the end of the process."""


def make_busy(monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    """Refuse every write to stores of the medium, as if another program held them."""

    def busy(self: object, plans: object, token: str) -> None:
        raise Refused("busy", "The store is busy.", "Nothing was changed.")

    monkeypatch.setattr(SqliteStore if store == FOUNDER else FileStore, "apply", busy)


def count_in_store(workspace: Workspace, store: str, words: str) -> int:
    """Return how many memories of a store contain the words."""
    return len(workspace.search(f"store:{store} {words}", live=False).ids)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_move_that_one_store_refuses_loses_nothing(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    before = all_contents(demo_workspace.folder)
    id = find_id(workspace, SAMPLE[source])
    refused = source if target == NATIVE else target
    make_busy(monkeypatch, refused)
    if target == NATIVE:  # the copy exists, and the original that could not be removed is reported
        result = workspace.move([id], target)
        assert "not removed from" in result.change.skipped[0].reason
        assert count_in_store(workspace, target, SAMPLE[source]) == 1
    else:
        with pytest.raises(Refused, match="busy"):
            workspace.move([id], target)
        assert count_in_store(workspace, target, SAMPLE[source]) == 0
    assert count_in_store(workspace, source, SAMPLE[source]) == 1
    monkeypatch.undo()
    assert all_contents(demo_workspace.folder) == before
    if target == NATIVE:  # the finished half can be undone
        workspace.undo()
        assert count_in_store(workspace, target, SAMPLE[source]) == 0
        assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_undo_of_a_move_is_all_or_nothing(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    before = all_contents(demo_workspace.folder)
    id = find_id(workspace, SAMPLE[source])
    workspace.move([id], target)
    moved = all_contents(demo_workspace.folder)
    make_busy(monkeypatch, source if source != NATIVE else target)
    copies = count_in_store(workspace, target, SAMPLE[source])
    with suppress(Refused):
        workspace.undo()
    total = count_in_store(workspace, source, SAMPLE[source]) + count_in_store(
        workspace, target, SAMPLE[source]
    )
    assert total >= 1, "it is in at least one of them"
    assert copies == 1
    monkeypatch.undo()
    if source != NATIVE:
        assert all_contents(demo_workspace.folder) == moved
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before
        assert count_in_store(workspace, source, SAMPLE[source]) == 1


STEPS = ("before the foreign write", "after the foreign write", "after settling")


@pytest.mark.parametrize(
    ("stop_at", "source", "target", "undoing"),
    [
        (stop_at, *pair, undoing)
        for stop_at in range(4)
        for number, pair in enumerate(shard(PAIRS, stop_at, 2))
        for undoing in shard((False, True), stop_at // 2 + number, 2)
    ],
)
def test_an_interrupted_move_loses_nothing_and_can_be_undone(
    demo_workspace: DemoWorkspace, source: str, target: str, stop_at: int, undoing: bool
) -> None:
    steps: list[str] = []

    def interrupt(step: str) -> None:
        if step in STEPS:
            steps.append(step)
            if armed and len(steps) == stop_at + 1:
                raise Interrupted

    armed = False
    before = all_contents(demo_workspace.folder)
    with demo_workspace.opened(on_step=interrupt) as workspace:
        id = find_id(workspace, SAMPLE[source])
        content = memory(workspace, id).content
        if undoing:
            workspace.move([id], target)
            steps.clear()
        armed = True
        with suppress(Interrupted):
            workspace.undo() if undoing else workspace.move([id], target)
        workspace._ctx.leases.close()
    with demo_workspace.opened() as workspace:
        ids = [id for id in workspace.search("", live=False).ids if memory(workspace, id).content == content]
        assert 1 <= len(ids) <= 2, "never lost; twice at most"
        workspace.pull()
        assert [
            id for id in workspace.search("", live=False).ids if memory(workspace, id).content == content
        ] == ids
        for _ in range(2):  # any finished half can be undone
            with suppress(Refused):  # nothing is left to undo
                workspace.undo()
        assert all_contents(demo_workspace.folder) == before
        remaining = [
            id for id in workspace.search("", live=False).ids if memory(workspace, id).content == content
        ]
        assert remaining == [id]


def test_undo_of_a_move_is_refused_once_the_original_is_purged(workspace: Workspace, tmp_path: Path) -> None:
    id = find_id(workspace, SAMPLE[MCP])
    result = workspace.move([id], FOUNDER)
    workspace.purge([id])
    with pytest.raises(Refused, match="purged"):
        workspace.undo(result.change.journal_id)
    assert memory(workspace, result.change.ids[0]).store == FOUNDER
    assert count_in_store(workspace, FOUNDER, SAMPLE[MCP]) == 1
