"""A step that waits until Review has drawn the pair under the cursor: before that no key settles it."""

from __future__ import annotations

import asyncio

from memtui.tui.app import MemtuiApp
from memtui.tui.screens.review import ReviewScreen
from tests.support.app_driver import Step


def painted(app: MemtuiApp) -> None:
    """Hold the next key until the pair stands, or none will."""
    app.run_worker(_stands(app))


async def _stands(app: MemtuiApp) -> None:
    for _ in range(400):
        shown = app.screen
        if not isinstance(shown, ReviewScreen) or shown.stands:
            return
        await asyncio.sleep(0.005)


def calmly(*steps: Step) -> list[Step]:
    """Each step, once what it acts on is drawn."""
    return [each for step in steps for each in (step, painted)]
