"""Drives the app by clicks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.app_driver import screen_text, wait_until_idle

Target = str | tuple[int, int] | Callable[[MemtuiApp], object]


def click(app: MemtuiApp, *targets: Target, times: int = 1, size: tuple[int, int] = (120, 36)) -> str:
    """Click each target and return the screen: (x, y), or a text that is on the screen. A function is called
    with the app instead."""

    async def run() -> str:
        async with app.run_test(size=size) as pilot:
            await wait_until_idle(app)
            for target in targets:
                if callable(target):
                    if isawaitable(result := target(app)):
                        await result
                    await wait_until_idle(app)
                    continue
                if isinstance(target, str):
                    target = await locate(app, pilot, target)
                await pilot.click(offset=target, times=times)
                await wait_until_idle(app)
            await pilot.pause(0.05)
            return screen_text(app)

    return asyncio.run(run())


async def locate(app: MemtuiApp, pilot: Pilot[Any], text: str) -> tuple[int, int]:
    """Return the lowest place of a text on the screen; wait for it, as a busy machine paints late."""
    for _ in range(100):
        lines = screen_text(app).splitlines()
        for y in range(len(lines) - 1, -1, -1):
            if text in lines[y]:
                return lines[y].index(text), y
        await pilot.pause(0.05)
    raise AssertionError(f"{text!r} is not on the screen:\n{screen_text(app)}")
