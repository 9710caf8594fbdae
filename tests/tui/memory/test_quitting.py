"""Quitting while a verb changes many memories stops it between two, and the program says what was done; one
undo takes that back in the next session (S-7, S-50)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from memtui.workspace.changes import parts
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import app_on, drive, wait_until_idle
from tests.support.demo_stores import build
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.support.sizes import sample_cases
from tests.support.waiting.threads import wait_until


def play_until_exit(app: MemtuiApp, play: Callable[[MemtuiApp, Pilot[Any]], Awaitable[None]]) -> None:
    async def go() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await wait_until_idle(app)
            await play(app, pilot)

    asyncio.run(go())


def many(count: int) -> FakeWorkspace:
    return FakeWorkspace([memory(n, f"number {n}") for n in range(1, count + 1)], clock=clock)


@pytest.mark.parametrize("keys", sample_cases([("q",), ("ctrl+q",), ("q", "q")], 2))
def test_quitting_stops_between_two_memories_and_says_what_was_done(keys: tuple[str, ...]) -> None:
    work, seen = many(240), list[object]()
    work.gates["part"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("*")
        for key in ("d", "p"):
            await pilot.press(key)
            await wait_until(lambda: getattr(app.screen, "previews", None), app)
            await pilot.press("enter")
        await wait_until(lambda: "part" in work.reached_gates, app)
        app.show_status = note(app, seen)  # type: ignore[method-assign]
        for key in keys:
            await pilot.press(key)
        await wait_until(lambda: app._exit, app)
        seen.append(str(app._exit_renderables[0]) if app._exit_renderables else "")

    play_until_exit(app_on(work), play)
    assert "Dismissing 10 of 240 memories: stopping, then quitting …" in seen
    if len(keys) == 1:
        assert str(seen[-1]).count("\n") == 1
        assert "Dismissed 10 of 240 memories (stopped)" in str(seen[-1])
        assert "The change was stopped before it began." in str(seen[-1])
    found = [each.status for each in work.memories.values()]
    assert found.count("dismissed") == 10
    assert not any(each.pinned for each in work.memories.values())
    undone = drive(app_on(work), "u")
    assert "Undone: Dismissed" in undone
    assert {each.status for each in work.memories.values()} == {"confirmed"}


def test_what_is_asked_for_while_the_program_is_quitting_does_not_hold_it_up() -> None:
    work, ids, stopping = many(240), list(range(1, 241)), list[bool]()
    work.gates["part"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        app.run_bulk(lambda control: work.dismiss(ids, control), "Dismissing", 240, app.announce)
        await wait_until(lambda: "part" in work.reached_gates, app)
        await app.action_quit()
        app.run_bulk(lambda control: work.confirm(ids, control), "Confirming", 240, app.announce)
        stopping.append(app._bulk[-1].is_stopping)
        await wait_until(lambda: app._exit, app)

    play_until_exit(app_on(work), play)
    assert stopping == [True]


def note(app: MemtuiApp, seen: list[object]) -> Any:
    show = app.show_status

    def noting(text: str, **more: Any) -> None:
        seen.append(text)
        show(text, **more)

    return noting


def test_an_app_that_ends_for_another_reason_stops_it_too_and_the_stores_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal is closed: nobody presses a key."""
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)
    path = build(tmp_path, clock)
    before = _memories(path)

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        assert app.workspace is not None
        reached = threading.Event()
        held = threading.Event()
        ctx = app.workspace._ctx

        def hold(step: str) -> None:
            if step == "after settling":
                reached.set()
                held.wait(20)

        ctx.on_step = hold
        await pilot.press("*", "d")
        await wait_until(lambda: getattr(app.screen, "previews", None), app)
        await pilot.press("enter")
        await wait_until(reached.is_set, app)
        app.end_bulk()
        held.set()
        app.exit()

    play_until_exit(MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock), play)
    assert _memories(path) != before
    assert "Undone: Dismissed" in drive(
        MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock), "u"
    )
    assert _memories(path) == before


def _memories(path: Path) -> list[object]:
    """All memories; what was dismissed is one."""
    with closing(Workspace.open(path, clock=clock)) as workspace:
        entries = [each for each in workspace.journal() if each.kind == "dismissed"]
        assert all(f"(1 of {each.count} done)" in each.summary for each in entries)
        found = workspace.memories(sorted(workspace.search("", live=False).ids))
    return [(each.uid, each.status, each.content) for each in found]
