"""A snoozed memory is hidden from the Inbox and Review until its date, and from nothing else (SPEC 7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import (
    FORMATS,
    ContradictionStores,
    add_pair,
    pair_state,
    workspace_rows,
)
from tests.support.demo_workspace import refusal

DAY = 86_400.0


class Snoozed:
    """A store with a contradiction between the first two of its memories."""

    def __init__(self, stores: ContradictionStores, workspace: Workspace, format: str) -> None:
        self.stores, self.workspace, self.format = stores, workspace, format
        self.a, self.b, *_ = stores.sample_ids(workspace, format)
        self.pair = add_pair(workspace, self.a, self.b)
        self.until = stores.clock() + 30 * DAY

    def snooze(self, *ids: int) -> Any:
        return self.workspace.snooze(ids or [self.a], self.until)

    def open_pairs(self) -> tuple[list[int], int, int]:
        counts = self.workspace.queue_counts()
        return [pair.id for pair in self.workspace.pairs()], counts.open, counts.later

    def found(self) -> list[list[int]]:
        """Return what a list and searches find."""
        queries = ("", "on", f"store:{self.format}", "-is:pinned")
        return [list(self.workspace.search(query, live=False).ids) for query in queries]


@pytest.fixture(params=FORMATS)
def snoozed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Snoozed]:
    stores = ContradictionStores(tmp_path, (request.param,)).create()
    with stores.opened() as workspace:
        yield Snoozed(stores, workspace, request.param)


def test_its_pairs_are_hidden_until_the_date_and_nothing_is_written_to_the_store(snoozed: Snoozed) -> None:
    assert snoozed.open_pairs() == ([snoozed.pair], 1, 0)
    store = snoozed.stores.snapshot()
    change = snoozed.snooze()
    assert (change.kind, change.ids) == ("snoozed", (snoozed.a,))
    assert snoozed.open_pairs() == ([], 0, 1)
    assert pair_state(snoozed.workspace, snoozed.pair) == "later"
    assert snoozed.stores.snapshot() == store
    snoozed.workspace.pull()
    assert snoozed.open_pairs() == ([], 0, 1)
    assert list(snoozed.workspace.search("is:snoozed").ids) == [snoozed.a]
    snoozed.stores.clock.now = snoozed.until + 1
    assert snoozed.open_pairs() == ([snoozed.pair], 1, 0)
    (pair,) = snoozed.workspace.pairs()
    assert not pair.escalated, "it counts as open from the date on"


def test_it_stays_in_lists_and_searches(snoozed: Snoozed) -> None:
    before = snoozed.found()
    snoozed.snooze(snoozed.a, snoozed.b)
    assert snoozed.found() == before
    assert sorted(snoozed.workspace.search("is:snoozed").ids) == sorted((snoozed.a, snoozed.b))


def test_undo_and_redo(snoozed: Snoozed) -> None:
    before = workspace_rows(snoozed.workspace)
    snoozed.snooze(snoozed.a, snoozed.b)
    done = workspace_rows(snoozed.workspace)
    snoozed.workspace.undo()
    assert workspace_rows(snoozed.workspace) == before
    assert snoozed.open_pairs() == ([snoozed.pair], 1, 0)
    snoozed.workspace.redo()
    assert workspace_rows(snoozed.workspace) == done
    assert snoozed.open_pairs() == ([], 0, 1)


def test_none_ends_it(snoozed: Snoozed) -> None:
    assert refusal(lambda: snoozed.workspace.snooze([snoozed.a], None)).reason == "Not snoozed."
    before = workspace_rows(snoozed.workspace)
    snoozed.snooze()
    assert snoozed.workspace.snooze([snoozed.a], None).kind == "woken"
    assert workspace_rows(snoozed.workspace) == before
    snoozed.workspace.undo()
    assert snoozed.open_pairs() == ([], 0, 1)


@pytest.fixture
def native(tmp_path: Path) -> Iterator[Snoozed]:
    stores = ContradictionStores(tmp_path, ("native",)).create()
    with stores.opened() as workspace:
        yield Snoozed(stores, workspace, "native")


def test_agents_still_recall_it(native: Snoozed) -> None:
    caller = Caller()
    before = [each.uid for each in native.workspace.recall("Meets on Monday", caller).memories]
    native.snooze()
    after = [each.uid for each in native.workspace.recall("Meets on Monday", caller).memories]
    assert native.workspace.memories([native.a])[0].uid in after
    assert after == before


def test_a_past_date_is_refused(native: Snoozed) -> None:
    refused = refusal(lambda: native.workspace.snooze([native.a], native.stores.clock.now - DAY))
    assert refused.code == "until"
    assert "is in the past" in refused.message


def test_a_verdict_settles_its_pair_all_the_same(native: Snoozed) -> None:
    native.snooze()
    native.workspace.settle(native.pair, "both-true")
    assert pair_state(native.workspace, native.pair) == "settled"


def test_the_later_of_its_date_and_that_of_a_verdict_counts(native: Snoozed) -> None:
    native.workspace.settle(native.pair, "later")
    native.snooze()
    native.stores.clock.now += 10 * DAY
    assert native.open_pairs() == ([], 0, 1)
    native.workspace.snooze([native.a], None)
    assert native.open_pairs() == ([native.pair], 1, 0)


def test_a_memory_that_was_skipped_is_named(native: Snoozed) -> None:
    native.snooze()
    change = native.snooze(native.a, native.b)
    assert change.ids == (native.b,)
    assert [each.reason for each in change.skipped] == ["Nothing would change."]
    assert "until 2026-" in change.summary or "until 2025-" in change.summary


def test_memories_of_a_store_that_is_read_only_can_be_snoozed(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("founder-os",)).create()
    with stores.opened() as workspace:
        snoozed, before = Snoozed(stores, workspace, "founder-os"), stores.snapshot()
        name = workspace.memories([snoozed.a])[0].store
        workspace.lock_store(name, True)
        snoozed.snooze()
        assert workspace.memories([snoozed.a])[0].snoozed_until == snoozed.until
        workspace.undo()
        assert workspace.memories([snoozed.a])[0].snoozed_until is None
        assert stores.snapshot() == before
