"""Waiting for what another thread does, and acting while one is held up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.app_driver import PATIENCE, app_on, screen, settle
from tests.support.fake_workspace import FakeWorkspace


async def until(so: Callable[[], object], app: MemtuiApp | None = None) -> None:
    """Wait until something is so; where it never is, an app that is given is shown in the failure."""
    deadline = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < deadline, "it never happened" if app is None else screen(app)
        await asyncio.sleep(0.005)


async def until_shown(app: MemtuiApp, *parts: str) -> None:
    """Wait until all these texts are on the screen."""
    await until(lambda: all(part in screen(app) for part in parts), app)


def held_up(
    work: FakeWorkspace,
    play: Callable[[MemtuiApp, Pilot[Any]], Awaitable[None]],
    size: tuple[int, int] = (120, 36),
) -> None:
    """Do what a list of steps cannot: act while a thread is held up. All gates are open in the end."""

    async def go() -> None:
        app = app_on(work)
        async with app.run_test(size=size) as pilot:
            await settle(app)
            await until(lambda: app.embedding_worker.phase)
            await play(app, pilot)
            for gate in work.gates.values():
                gate.set()
            await settle(app)

    asyncio.run(go())
