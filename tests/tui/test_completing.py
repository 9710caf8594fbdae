"""What is offered below the search line while a filter is typed (S-31)."""

from __future__ import annotations

import re
import threading

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.widgets.memory_list import MemoryList
from memtui.tui.widgets.offers import Offers
from tests.support.app_driver import app_on, drive, line_with, screen, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.tui.test_meaning import run, until
from tests.tui.test_mouse import clicked


def offered(app: MemtuiApp) -> list[str]:
    offers = app.screen_stack[0].query_one(Offers)
    return [name for _, name, _ in offers.offers] if offers.open else []


def query(app: MemtuiApp) -> str:
    return str(app.screen_stack[0].query_one("#query").value)


def after(*keys, work=None, size=(120, 36)) -> tuple[list[str], str, str]:
    """What is offered, what stands in the search line, and the screen."""
    seen: list = []
    text = drive(app_on(work), *keys, lambda a: seen.extend((offered(a), query(a))), size=size)
    return seen[0], seen[1], text


def test_names_of_filters_are_offered_and_tab_takes_the_first() -> None:
    assert after("/", *typed("python st"))[0] == ["store:", "status:"]
    offers, text, seen = after("/", *typed("python st"), "tab")
    assert text == "python store:"
    assert offers == ["native", "founder-os", "base-coat"]  # and its values at once
    assert "tab take · esc close" in seen


def test_values_come_with_their_counts() -> None:
    _, _, seen = after("/", *typed("category:"))
    assert re.search("│ fact +3 │", seen)


def test_typing_narrows_down_chooses_and_tab_takes() -> None:
    assert after("/", *typed("store:b"))[0] == ["base-coat"]
    _, text, _ = after("/", *typed("store:"), "down", "down", "tab")
    assert text == "store:founder-os "
    _, text, _ = after("/", *typed("store:"), "down", "down", "up", "tab")
    assert text == "store:native "
    assert after("/", *typed("store:nonsense"))[0] == []


def test_a_value_with_blanks_is_put_in_quotes() -> None:
    work = FakeWorkspace([memory(1, "one", owner="Ana Maria"), memory(2, 'two"', owner='x"y')], clock=clock)
    assert after("/", *typed("owner:a"), "tab", work=work)[1] == 'owner:"Ana Maria" '
    assert after("/", *typed("owner:x"), "tab", work=work)[1] == "owner:x*y "
    assert after("/", *typed('owner:"Ana M'), "tab", work=work)[1] == 'owner:"Ana Maria" '


def test_within_a_query_only_the_part_under_the_cursor_is_replaced() -> None:
    keys = ["/", *typed("is:p db"), *["left"] * 3]
    assert after(*keys)[0] == ["pinned", "pending"]
    assert after(*keys, "tab")[1] == "is:pinned db"


def test_esc_closes_it_once_and_then_goes_back() -> None:
    offers, text, _ = after("/", *typed("store:"), "escape")
    assert offers == []
    assert text == "store:"
    assert after("/", *typed("store:"), "escape", "b")[0] == ["base-coat"]
    focus: list[str | None] = []
    after("/", *typed("store:"), "escape", "escape", lambda a: focus.append(a.focused.id))
    assert focus == ["list"]


def test_enter_searches_and_beyond_the_last_offer_the_list_goes_on() -> None:
    focus: list[str | None] = []
    note = lambda a: focus.append(a.focused.id)  # noqa: E731
    assert after("/", *typed("ci st"), "enter", note)[0] == []
    assert after("/", *typed("ci st"), "down", "down", "down", note)[0] == []
    assert after("/", *typed("ci"), "down", note)[0] == []
    assert focus == ["list", "list", "list"]


def test_tab_goes_to_the_next_pane_where_nothing_is_offered() -> None:
    focus: list[str | None] = []
    drive(app_on(), "/", *typed("ci"), "tab", lambda a: focus.append(a.focused.id))
    assert focus == ["list"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_it_covers_lines_and_moves_none(size) -> None:
    before = drive(app_on(), "/", *typed("c"), size=size).splitlines()
    _, _, seen = after("/", *typed("c"), *typed("a"), size=size)
    now = seen.splitlines()
    assert "category:" in now[3 if size[0] == 80 else 5]
    same = [n for n, (one, two) in enumerate(zip(before, now, strict=True)) if one == two]
    assert len(same) >= size[1] - 8
    app = app_on()
    heights: list[int] = []
    note = lambda a: heights.append(a.screen.query_one(MemoryList).region.y)  # noqa: E731
    drive(app, "/", note, *typed("store:"), note, size=size)
    assert heights[0] == heights[1]


def test_nobody_waits_for_values() -> None:
    work = sample()
    work.gates["values"] = threading.Event()

    async def play(app, pilot) -> None:
        await pilot.press("/", *"store", "colon")
        await until(lambda: "values" in work.waiting)
        await pilot.press("b")
        assert query(app) == "store:b"
        assert offered(app) == []
        work.gates["values"].set()
        await until(lambda: offered(app) == ["base-coat"])
        await until(lambda: "base-coat" in screen(app))

    run(work, play)


def test_a_fault_still_points_at_its_place() -> None:
    offers, _, seen = after("/", *typed("status:pen"))
    assert offers == ["pending"]
    assert "not searched" in line_with(seen, "/ status:pen")


def test_hostile_values_are_shown_and_put_in_safely() -> None:
    work = FakeWorkspace([memory(1, "one", owner="a\x1b[31m\u202eb")], clock=clock)
    _, text, seen = after("/", *typed("owner:a"), "tab", work=work)
    assert "\x1b" not in text + seen
    assert "\u202e" not in text + seen


def test_a_click_takes_an_offer() -> None:
    def type_it(app: MemtuiApp) -> None:
        app.screen.query_one("#query").focus()
        app.screen.query_one("#query").value = "tag:"

    def look(app: MemtuiApp) -> None:
        assert query(app) == "tag:release "
        assert app.focused is not None
        assert app.focused.id == "query"

    clicked(app_on(), type_it, "release ", look)


def test_enter_takes_the_offer_that_was_moved_to() -> None:
    assert after("/", *typed("store:"), "down", "down", "enter")[1] == "store:founder-os "
    assert after("/", *typed("store:b"), "enter")[1] == "store:b", "nobody moved: enter searches"


def test_a_second_tab_is_no_step_to_the_list() -> None:
    app = app_on()
    drive(app, "/", *typed("is:p"), "tab", "tab", lambda a: focused.append(a.focused.id), "x")
    assert focused.pop() == "query"


focused: list[str | None] = []
