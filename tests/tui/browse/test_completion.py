"""What is offered below the search line while a filter is typed (S-31)."""

from __future__ import annotations

import re
import threading
from functools import partial
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from memtui.tui.app import MemtuiApp
from memtui.tui.browse.suggestions import Suggestions
from memtui.tui.memory.memory_list import MemoryList
from tests.support import app_driver
from tests.support.app_driver import Look, Shots, Step, app_on, line_with, screen, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.mouse import clicked
from tests.support.waiting.threads import held_up, until

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much


def offered(app: MemtuiApp) -> list[str]:
    offers = app.screen_stack[0].query_one(Suggestions)
    return [name for _, name, _ in offers.offers] if offers.open else []


def query(app: MemtuiApp) -> str:
    return app.screen_stack[0].query_one("#query", Input).value


class Noted:
    """A step that notes what is offered, what the search line says and where the focus is, each time."""

    def __init__(self) -> None:
        self.offers: list[list[str]] = []
        self.queries: list[str] = []
        self.focus: list[str | None] = []

    def __call__(self, app: MemtuiApp) -> None:
        self.offers.append(offered(app))
        self.queries.append(query(app))
        self.focus.append(app.focused.id if app.focused is not None else None)


def anew(text: str) -> list[Step]:
    """The keys that type another search."""
    return ["ctrl+u", *typed(text)]


def test_names_of_filters_are_offered_and_tab_takes_the_first() -> None:
    noted = Noted()
    seen = drive(app_on(), "/", *typed("python st"), noted, "tab", noted)
    assert noted.offers[0] == ["store:", "status:"]
    assert noted.queries[1] == "python store:"
    assert noted.offers[1] == ["native", "founder-os", "base-coat"]  # and its values at once
    assert "tab take · esc close" in seen


def test_values_come_with_their_counts_and_typing_narrows_them_down() -> None:
    noted = Noted()
    shots = Shots()
    drive(app_on(), "/", *typed("category:"), shots, *anew("store:b"), noted, "x", noted)
    assert re.search("│ fact +3 │", shots[0])
    assert noted.offers == [["base-coat"], []]


def test_up_and_down_choose_what_tab_and_enter_take() -> None:
    noted = Noted()
    drive(
        app_on(),
        "/", *typed("store:"), "down", "down", "tab", noted,
        *anew("store:"), "down", "down", "up", "tab", noted,
        *anew("store:"), "down", "down", "enter", noted,
        *anew("store:b"), "enter", noted,
    )  # fmt: skip
    assert noted.queries[0] == "store:founder-os "
    assert noted.queries[1] == "store:native "
    assert noted.queries[2] == "store:founder-os "
    assert noted.queries[3] == "store:b", "nobody moved: enter searches"


def test_a_value_goes_in_quoted_and_clean() -> None:
    owners = ("Ana Maria", 'x"y', "h\x1b[31m\u202eb")
    work = FakeWorkspace([memory(n, str(n), owner=owner) for n, owner in enumerate(owners)], clock=clock)
    noted = Noted()
    shots = Shots()
    steps: list[Step] = ["/"]
    for text in ("owner:a", "owner:x", 'owner:"Ana M', "owner:h"):
        steps += [*anew(text), "tab", noted]
    drive(app_on(work), *steps, shots)
    assert noted.queries[:3] == ['owner:"Ana Maria" ', "owner:x*y ", 'owner:"Ana Maria" ']
    assert noted.queries[3].startswith("owner:h")
    assert "\x1b" not in noted.queries[3] + shots[0]
    assert "\u202e" not in noted.queries[3] + shots[0]


def test_within_a_query_only_the_part_under_the_cursor_is_replaced() -> None:
    noted = Noted()
    drive(app_on(), "/", *typed("is:p db"), *["left"] * 3, noted, "tab", noted)
    assert noted.offers[0] == ["pinned", "pending"]
    assert noted.queries[1] == "is:pinned db"


def test_esc_closes_it_once_and_then_goes_back() -> None:
    noted = Noted()
    drive(app_on(), "/", *typed("store:"), "escape", noted, "b", noted, "escape", noted, "escape", noted)
    assert noted.offers == [[], ["base-coat"], [], []]
    assert noted.queries[0] == "store:"
    assert noted.focus == ["query", "query", "query", "list"]


def test_enter_and_what_lies_beyond_the_offers_lead_to_the_list() -> None:
    cases = [("ci st", ["enter"]), ("ci st", ["down", "down", "down"]), ("ci", ["down"]), ("ci", ["tab"])]
    noted = Noted()
    steps: list[Step] = []
    for text, keys in cases:
        steps += ["/", *anew(text), noted, *keys, noted]
    drive(app_on(), *steps)
    for n, (text, keys) in enumerate(cases):
        assert noted.offers[2 * n] == (["store:", "status:"] if text == "ci st" else []), (text, keys)
        assert noted.focus[2 * n : 2 * n + 2] == ["query", "list"], (text, keys)
        assert noted.offers[2 * n + 1] == [], (text, keys)


def test_it_covers_lines_and_moves_none() -> None:
    shots = Shots()
    heights: list[int] = []

    @Look
    def note(app: MemtuiApp) -> None:
        heights.append(app.screen.query_one(MemoryList).region.y)

    steps: list[Step] = ["ctrl+u", note, "c", shots, "a", shots, note]
    drive(app_on(), "/", (80, 24), *steps, (120, 36), *steps)
    for n, (height, line) in enumerate(((24, 3), (36, 5))):
        before, now = (seen.splitlines() for seen in shots[2 * n : 2 * n + 2])
        assert "category:" in now[line], height
        assert "category:" not in before[line], height
        same = sum(one == two for one, two in zip(before, now, strict=True))
        assert same >= height - 8, height
        assert heights[2 * n] == heights[2 * n + 1], height


def test_nobody_waits_for_values() -> None:
    work = sample()
    work.gates["values"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"store", "colon")
        await until(lambda: "values" in work.waiting)
        await pilot.press("b")
        assert query(app) == "store:b"
        assert offered(app) == []
        work.gates["values"].set()
        await until(lambda: offered(app) == ["base-coat"])
        await until(lambda: "base-coat" in screen(app))

    held_up(work, play)


def test_a_fault_still_points_at_its_place() -> None:
    noted = Noted()
    seen = drive(app_on(), "/", *typed("status:pen"), noted)
    assert noted.offers == [["pending"]]
    assert "not searched" in line_with(seen, "/ status:pen")


def test_a_click_takes_an_offer() -> None:
    def type_it(app: MemtuiApp) -> None:
        field = app.screen.query_one("#query", Input)
        field.focus()
        field.value = "tag:"

    noted = Noted()
    clicked(app_on(), type_it, "release ", noted)
    assert noted.queries == ["tag:release "]
    assert noted.focus == ["query"]


def test_a_second_tab_is_no_step_to_the_list() -> None:
    noted = Noted()
    drive(app_on(), "/", *typed("is:p"), "tab", "tab", noted)
    assert noted.focus == ["query"]
