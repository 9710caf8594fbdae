"""The help at any size, with any keys and any search."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual import events
from textual.widgets import Input

from memtui.tui import command_table, keymap
from memtui.tui.app import MemtuiApp
from memtui.tui.browse.quick_views import VIEWS
from memtui.tui.commands import names
from memtui.tui.common.help import help_text
from memtui.tui.common.wording import CONCEPTS
from memtui.tui.text.glyphs import FINDING_SIGNS, NEW, PIN, SNOOZED, STATES
from tests.support.app_driver import Probe, Shots, app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, clock
from tests.support.sizes import sample_cases

LONG_KEYS = {
    "memory.pin": ("ctrl+shift+f1", "ctrl+shift+f2", "ctrl+f3"),
    "memory.dismiss": ("字", "alt+d"),
    "change.undo": tuple(f"ctrl+alt+shift+f{number}" for number in range(1, 12)),
}
LONG_TABLE = keymap.apply_key_settings(LONG_KEYS)[0]


def test_the_concepts_name_every_sign_and_view() -> None:
    for sign in (SNOOZED, PIN, NEW, *FINDING_SIGNS.values(), *STATES.values()):
        assert f"{sign} " in CONCEPTS["signs"], sign
    for view in VIEWS[1:]:
        assert view.code in CONCEPTS["quick views"]
    assert "listed first" not in CONCEPTS["pin"]


@pytest.mark.parametrize("width", sample_cases([*range(1, 30), 40, 69, 70, 76, 96, 200], 13))
@pytest.mark.parametrize("query", ["", "pin", "undo"])
def test_help_fits_every_width_with_keys_of_any_length(width: int, query: str) -> None:
    for table in (command_table.COMMANDS, LONG_TABLE):
        text = help_text(names.BROWSE, width, table, query).plain
        if width >= 8:
            assert max(map(cell_len, text.splitlines())) <= width
        if width >= 20:
            assert "pin or unpin" in " ".join(text.split()) or query == "undo"


def test_help_stands_below_keys_that_leave_no_room_beside_them() -> None:
    lines = help_text(names.BROWSE, 38, LONG_TABLE, "pin").plain.splitlines()
    keys = lines.index("  ctrl+shift+f1 ctrl+shift+f2 ctrl+f3")
    assert lines[keys + 1].strip() == "pin or unpin"
    wide = help_text(names.BROWSE, 60, LONG_TABLE, "pin").plain.splitlines()
    assert "  ctrl+shift+f1 ctrl+shift+f2 ctrl+f3 pin or unpin" in wide


def test_a_pasted_text_of_any_length_is_cut_and_not_repeated_in_full() -> None:
    values: list[str] = []
    seen = drive(
        app_on(FakeWorkspace([], clock=clock)),
        "?",
        lambda app: app.post_message(events.Paste("xyzq" * 25_000)),
        Probe(lambda app: values.append(app.screen.query_one(Input).value)),
        size=(120, 36),
    )
    assert values == ["xyzq" * 25]
    echoed = next(line for line in seen.splitlines() if "No key or concept matches" in line)
    assert f"“{('xyzq' * 25)[:59]}…”" in echoed


def test_scrolling_is_offered_only_where_there_is_more_than_fits() -> None:
    shots = Shots()
    drive(app_on(), "?", shots, *typed("unpin"), shots, "escape", shots, size=(80, 24))
    assert ["↓ scroll" in shot for shot in shots] == [True, False, True]


def test_a_search_shows_a_result_on_the_smallest_terminal() -> None:
    def at_top(app: MemtuiApp) -> None:
        assert app.size == (20, 5)

    assert "p " in drive(app_on(), "?", *typed("unpin"), Probe(at_top), size=(20, 5)).splitlines()[-2]
