"""A step that waits until the Stores screen has read all that it shows."""

from __future__ import annotations

import asyncio

from memtui.tui.app import MemtuiApp
from memtui.tui.screens.stores import StoresScreen


def stores_are_read(app: MemtuiApp) -> None:
    """Hold the next key until the stores were read, or could not be."""
    app.run_worker(_until_read(app))


async def _until_read(app: MemtuiApp) -> None:
    for _ in range(400):
        if isinstance(app.screen, StoresScreen) and app.screen.looked:
            return
        await asyncio.sleep(0.005)
