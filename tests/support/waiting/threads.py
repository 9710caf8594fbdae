"""Waiting for what another thread does, and acting while one is blocked at a gate."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.app_driver import TIMEOUT, app_on, screen_text, wait_until_idle
from tests.support.fake_workspace import FakeWorkspace


async def wait_until(condition: Callable[[], object], app: MemtuiApp | None = None) -> None:
    """Wait until a condition holds; fail after TIMEOUT seconds, with the screen of `app` if it is given."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < deadline, "the condition never held" if app is None else screen_text(app)
        await asyncio.sleep(0.005)


async def wait_until_shown(app: MemtuiApp, *parts: str) -> None:
    """Wait until all these texts are on the screen."""
    await wait_until(lambda: all(part in screen_text(app) for part in parts), app)


def run_with_pilot(
    work: FakeWorkspace,
    play: Callable[[MemtuiApp, Pilot[Any]], Awaitable[None]],
    size: tuple[int, int] = (120, 36),
) -> None:
    """Run `play`, which can act while a thread is blocked, as a list of steps cannot. All gates are opened in
    the end."""

    async def go() -> None:
        app = app_on(work)
        async with app.run_test(size=size) as pilot:
            await wait_until_idle(app)
            await wait_until(lambda: app.embedding_worker.phase)
            try:
                await play(app, pilot)
            finally:  # an app whose writing thread is blocked would never end
                for gate in work.gates.values():
                    gate.set()
            await wait_until_idle(app)

    asyncio.run(go())
