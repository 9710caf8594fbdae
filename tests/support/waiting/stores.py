"""A step that waits until the Stores screen has loaded all that it shows."""

from __future__ import annotations

from memtui.tui.app import MemtuiApp
from memtui.tui.stores.screen import StoresScreen
from tests.support.app_driver import Probe
from tests.support.waiting.threads import wait_until


@Probe
def wait_for_stores(app: MemtuiApp) -> object:
    """A step that waits until the stores are loaded, or could not be."""
    return None if _is_loaded(app) else wait_until(lambda: _is_loaded(app), app)


def _is_loaded(app: MemtuiApp) -> bool:
    shown = app.screen
    return isinstance(shown, StoresScreen) and (
        shown.is_complete or "could not be" in shown.stores.empty_lines[0][0]
    )
