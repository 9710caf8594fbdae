"""A move that is cut off or refused in the middle never loses a memory, and can be taken back (S-6, S-7)."""

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


class Ended(Exception):
    """The process ends here."""


def refuse(monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    """Every write to stores of this kind is refused: another program holds them."""

    def busy(self: object, plans: object, token: str) -> None:
        raise Refused("busy", "The store is busy.", "Nothing was changed.")

    monkeypatch.setattr(SqliteStore if store == FOUNDER else FileStore, "apply", busy)


def stands(workspace: Workspace, store: str, words: str) -> int:
    """How many memories of a store say this and stand there."""
    return len(workspace.search(f"store:{store} {words}", live=False).ids)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_the_target_refuses_stays_where_it_is(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    if target == NATIVE:
        pytest.MonkeyPatch().undo()
    before = all_contents(demo_workspace.folder)
    one = find_id(workspace, SAMPLE[source])
    refused = source if target == NATIVE else target
    refuse(monkeypatch, refused)
    if target == NATIVE:  # the copy stands, the original could not leave: told, and nothing lost
        done = workspace.move([one], target)
        assert "stays in" in done.change.skipped[0].reason
        assert stands(workspace, target, SAMPLE[source]) == 1
    else:
        with pytest.raises(Refused, match="busy"):
            workspace.move([one], target)
        assert stands(workspace, target, SAMPLE[source]) == 0
    assert stands(workspace, source, SAMPLE[source]) == 1
    monkeypatch.undo()
    assert all_contents(demo_workspace.folder) == before
    if target == NATIVE:  # and the half that was done can be taken back alone
        workspace.undo()
        assert stands(workspace, target, SAMPLE[source]) == 0
        assert all_contents(demo_workspace.folder) == before


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_an_undo_that_one_store_refuses_takes_nothing_out_of_the_other(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    before = all_contents(demo_workspace.folder)
    one = find_id(workspace, SAMPLE[source])
    workspace.move([one], target)
    moved = all_contents(demo_workspace.folder)
    refuse(monkeypatch, source if source != NATIVE else target)
    with_copy = stands(workspace, target, SAMPLE[source])
    with suppress(Refused):
        workspace.undo()
    here = stands(workspace, source, SAMPLE[source]) + stands(workspace, target, SAMPLE[source])
    assert here >= 1, "it stands in one of them at least"
    assert with_copy == 1
    monkeypatch.undo()
    if source != NATIVE:
        assert all_contents(demo_workspace.folder) == moved
        workspace.undo()
        assert all_contents(demo_workspace.folder) == before
        assert stands(workspace, source, SAMPLE[source]) == 1


STEPS = ("before the foreign write", "after the foreign write", "after settling")


@pytest.mark.parametrize(
    ("stop", "source", "target", "back"),
    [
        (stop, *pair, back)
        for stop in range(4)
        for number, pair in enumerate(shard(PAIRS, stop, 2))
        for back in shard((False, True), stop // 2 + number, 2)
    ],
)
def test_wherever_it_ends_the_memory_stands_somewhere_and_the_line_can_be_taken_back(
    demo_workspace: DemoWorkspace, source: str, target: str, stop: int, back: bool
) -> None:
    seen: list[str] = []

    def end(step: str) -> None:
        if step in STEPS:
            seen.append(step)
            if armed and len(seen) == stop + 1:
                raise Ended

    armed = False
    before = all_contents(demo_workspace.folder)
    with demo_workspace.opened(on_step=end) as workspace:
        one = find_id(workspace, SAMPLE[source])
        words = memory(workspace, one).content
        if back:
            workspace.move([one], target)
            seen.clear()
        armed = True
        with suppress(Ended):
            workspace.undo() if back else workspace.move([one], target)
        workspace._ctx.leases.close()
    with demo_workspace.opened() as workspace:
        ids = [id for id in workspace.search("", live=False).ids if memory(workspace, id).content == words]
        assert 1 <= len(ids) <= 2, "never lost; twice at most"
        workspace.pull()
        assert [
            id for id in workspace.search("", live=False).ids if memory(workspace, id).content == words
        ] == ids
        for _ in range(2):  # whatever half was done can be taken back
            with suppress(Refused):  # there is nothing to undo any more
                workspace.undo()
        assert all_contents(demo_workspace.folder) == before
        left = [id for id in workspace.search("", live=False).ids if memory(workspace, id).content == words]
        assert left == [one]


def test_a_purged_original_keeps_its_copy(workspace: Workspace, tmp_path: Path) -> None:
    one = find_id(workspace, SAMPLE[MCP])
    done = workspace.move([one], FOUNDER)
    workspace.purge([one])
    with pytest.raises(Refused, match="erased"):
        workspace.undo(done.change.journal_id)
    assert memory(workspace, done.change.ids[0]).store == FOUNDER
    assert stands(workspace, FOUNDER, SAMPLE[MCP]) == 1
