"""A step that waits until the Stores screen has read all that it shows."""

from __future__ import annotations

from memtui.tui.app import MemtuiApp
from memtui.tui.screens.stores import StoresScreen
from tests.support.waiting import until


def stores_are_read(app: MemtuiApp) -> None:
    """Hold the next key until the stores were read, or could not be."""
    app.run_worker(until(lambda: _are_read(app), app))


def _are_read(app: MemtuiApp) -> bool:
    shown = app.screen
    return isinstance(shown, StoresScreen) and (shown.looked or "could not be" in shown.stores.empty[0][0])
