"""Drives the real app by clicks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from textual.pilot import Pilot

from memtui.tui.app import MemtuiApp
from tests.support.app_driver import screen, settle

Spot = str | tuple[int, int] | Callable[[MemtuiApp], object]


def clicked(app: MemtuiApp, *spots: Spot, times: int = 1, size: tuple[int, int] = (120, 36)) -> str:
    """Click at (x, y) or on the first place of a text, and give the screen."""

    async def run() -> str:
        async with app.run_test(size=size) as pilot:
            await settle(app)
            for spot in spots:
                if callable(spot):
                    if isawaitable(waits := spot(app)):
                        await waits
                    await settle(app)
                    continue
                if isinstance(spot, str):
                    spot = await place(app, pilot, spot)
                await pilot.click(offset=spot, times=times)
                await settle(app)
            await pilot.pause(0.05)
            return screen(app)

    return asyncio.run(run())


async def place(app: MemtuiApp, pilot: Pilot[Any], text: str) -> tuple[int, int]:
    """Where a text stands on the screen, the lowest place; waited for, since a loaded machine paints late."""
    for _ in range(100):
        lines = screen(app).splitlines()
        for y in range(len(lines) - 1, -1, -1):
            if text in lines[y]:
                return lines[y].index(text), y
        await pilot.pause(0.05)
    raise AssertionError(f"{text!r} is not on the screen:\n{screen(app)}")
