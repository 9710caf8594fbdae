"""A step that waits until the Stores screen stands: a screen just made takes a moment on a busy machine."""

from __future__ import annotations

import asyncio

from memtui.tui.app import MemtuiApp
from memtui.tui.screens.stores import StoresScreen


def standing(app: MemtuiApp) -> None:
    """Hold the next key until the stores were read, or could not be."""
    app.run_worker(_stands(app))


async def _stands(app: MemtuiApp) -> None:
    for _ in range(400):
        if isinstance(app.screen, StoresScreen) and app.screen.looked:
            return
        await asyncio.sleep(0.005)
