"""A text opened in full screen fills the screen, however low the terminal is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memtui.memory.relations import Relation
from memtui.tui.app import MemtuiApp
from memtui.tui.decay.list import DecayList
from memtui.tui.memory.detail.detail_pane import DetailPane
from tests.support.app_driver import Probe, Shots, Step, app_on, drive
from tests.support.fake_workspace import with_pairs, with_stores
from tests.support.sizes import sample_cases
from tests.support.waiting.stores import wait_for_stores
from tests.support.waiting.threads import wait_until


@Probe
def wait_for_forecast(app: MemtuiApp) -> object:
    """A step that waits until Decay lists what leaves."""
    return wait_until(lambda: app.screen.query(DecayList) and app.screen.query_one(DecayList).count, app)


SIZES = [(120, 36), (120, 12), (80, 15), (40, 12), (20, 8)]
OPENED: dict[str, list[Step]] = {
    "browse": ["j", "enter"],
    "review": ["3", "enter"],
    "graph": ["j", "o", "enter"],
    "decay": ["5", wait_for_forecast, "enter"],
    "journal": ["j", "p", "7", "enter"],
    "stores": ["8", wait_for_stores, "tab", "j", "enter"],
}


@pytest.mark.parametrize("screen", OPENED)
def test_full_screen_shows_the_text_at_every_size(screen: str) -> None:
    heights: list[int] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        detail = app.screen.query_one("#detail")
        assert app.screen.has_class("full")
        heights.append(detail.size.height if detail.display else 0)

    shots = Shots()
    keys: Sequence[Step] = OPENED[screen]
    work = with_stores() if screen == "stores" else with_pairs()
    sizes = sample_cases(SIZES, 3)
    drive(app_on(work), *keys, *(step for size in sizes for step in (size, note, shots)))
    # All but header, status line, footer and the pane's frame.
    assert heights == [height - 5 for _, height in sizes]
    texts = [[line.strip("│┃╭╮╰╯─━┏┓┗┛ ") for line in shot.splitlines()[1:-2]] for shot in shots]
    assert all(any(lines) for lines in texts)


@pytest.mark.parametrize("screen", ["review", "graph", "decay"])
def test_links_are_followed_and_left_in_full_screen_on_every_screen(screen: str) -> None:
    work = with_pairs()
    target = 8
    for id in work.memories:
        if id != target:
            work.relations[id] = (Relation("It", "knows", "db-2", source_id=id, target_id=target),)
    shown: list[int | None] = []
    shots = Shots()

    @Probe
    def note(app: MemtuiApp) -> None:
        detail = app.screen.query_one(DetailPane).detail
        shown.append(detail.id if detail is not None else None)

    keys: list[Step] = [*OPENED[screen], note, "tab", "enter", note, shots, "backspace", note]
    drive(app_on(work), *keys, "enter", note, "escape", note, size=(80, 24))  # the link is selected again
    first = shown[0]
    assert first not in (None, target)
    assert shown == [first, target, first, target, first]
    assert "Opened from a link, not in the list. ⌫ goes back." in shots[0]
    assert "━ Memory ━" in shots[0]
