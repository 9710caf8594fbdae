"""The counts of the header and of the quick views keep up with each other (S-5, S-31)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from memtui.memory.contradictions.queue import QueueCounts
from memtui.memory.stores import PullResult
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Shots, app_on, drive, line_with, stable_screen
from tests.support.fake_workspace import FakeWorkspace, memory
from tests.support.waiting.threads import run_with_pilot, wait_until


def test_what_a_scan_finds_after_a_change_is_counted_in_the_views_at_once() -> None:
    work, shots = FakeWorkspace([memory(1, "Likes tea"), memory(2, "Likes coffee")]), Shots()

    def scan(app: MemtuiApp) -> None:
        # The scan reports the pairs that it found; which memories a view has is then another question.
        work.memories[1] = replace(work.memories[1], pinned=True)
        app.review = QueueCounts(open=1, unscanned=3)

    def finish(app: MemtuiApp) -> None:
        app.review = QueueCounts(open=1)

    drive(app_on(work), shots, scan, shots, finish, shots)
    assert "★ 1" not in line_with(shots[0], "all 2")
    assert "★ 1" not in line_with(shots[1], "all 2")  # not again and again while it is at work
    assert "★ 1" in line_with(shots[2], "all 2")


def test_the_header_counts_new_memories_apart_from_changed_ones() -> None:
    work = FakeWorkspace([memory(1, "Likes tea")])
    pulled = [PullResult({"codex": (3, 1, 0)}, {}, relations={"graph": 2})]
    work.pull = lambda: pulled.pop() if pulled else PullResult({}, {})  # type: ignore[method-assign]
    seen: list[str] = []

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await wait_until(lambda: app.news == 6, app)
        seen.append((await stable_screen(app)).splitlines()[0])
        await pilot.resize_terminal(80, 24)
        seen.append((await stable_screen(app)).splitlines()[0])

    run_with_pilot(work, play)
    assert "● 3 new · 3 changed  r" in seen[0]
    assert "● 3 new · ~3  r" in seen[1]
