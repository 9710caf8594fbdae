"""A step that waits until the Stores screen has read all that it shows."""

from __future__ import annotations

from memtui.tui.app import MemtuiApp
from memtui.tui.stores.screen import StoresScreen
from tests.support.app_driver import Look
from tests.support.waiting.threads import until


@Look
def stores_are_read(app: MemtuiApp) -> object:
    """Hold the next key until the stores were read, or could not be."""
    return None if _are_read(app) else until(lambda: _are_read(app), app)


def _are_read(app: MemtuiApp) -> bool:
    shown = app.screen
    return isinstance(shown, StoresScreen) and (shown.looked or "could not be" in shown.stores.empty_lines[0][0])
