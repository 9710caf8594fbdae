"""Suggestions below the search line while a filter is typed (S-31)."""

from __future__ import annotations

import re
import threading
from functools import partial
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from memtui.tui.app import MemtuiApp
from memtui.tui.completing.suggestions import SuggestionList
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support import app_driver
from tests.support.app_driver import Probe, Shots, Step, app_on, line_with, screen_text, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.mouse import click
from tests.support.waiting.threads import run_with_pilot, wait_until

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much


def suggested(app: MemtuiApp) -> list[str]:
    found = app.screen_stack[0].query_one(SuggestionList)
    return [name for _, name, _ in found.suggestions] if found.open else []


def query(app: MemtuiApp) -> str:
    return app.screen_stack[0].query_one("#query", Input).value


class Record:
    """A step that records the suggestions, the query and the focused widget."""

    def __init__(self) -> None:
        self.suggestions: list[list[str]] = []
        self.queries: list[str] = []
        self.focus: list[str | None] = []

    def __call__(self, app: MemtuiApp) -> None:
        self.suggestions.append(suggested(app))
        self.queries.append(query(app))
        self.focus.append(app.focused.id if app.focused is not None else None)


def retype(text: str) -> list[Step]:
    """Return the steps that replace the query."""
    return ["ctrl+u", *typed(text)]


def test_filter_names_are_suggested_and_tab_accepts_the_first() -> None:
    record = Record()
    seen = drive(app_on(), "/", *typed("python st"), record, "tab", record)
    assert record.suggestions[0] == ["store:", "status:"]
    assert record.queries[1] == "python store:"
    assert record.suggestions[1] == ["native", "founder-os", "base-coat"]  # its values follow immediately
    assert "tab use · esc close" in seen


def test_values_are_suggested_with_counts_and_typing_narrows_them() -> None:
    record = Record()
    shots = Shots()
    drive(app_on(), "/", *typed("category:"), shots, *retype("store:b"), record, "x", record)
    assert re.search("│ fact +3 │", shots[0])
    assert record.suggestions == [["base-coat"], []]


def test_up_and_down_choose_the_suggestion_that_tab_or_enter_accepts() -> None:
    record = Record()
    drive(
        app_on(),
        "/", *typed("store:"), "down", "down", "tab", record,
        *retype("store:"), "down", "down", "up", "tab", record,
        *retype("store:"), "down", "down", "enter", record,
        *retype("store:b"), "enter", record,
    )  # fmt: skip
    assert record.queries[0] == "store:founder-os "
    assert record.queries[1] == "store:native "
    assert record.queries[2] == "store:founder-os "
    assert record.queries[3] == "store:b", "nothing was chosen, so enter searches"


def test_an_accepted_value_is_quoted_and_cleaned() -> None:
    owners = ("Ana Maria", 'x"y', "h\x1b[31m\u202eb")
    work = FakeWorkspace([memory(n, str(n), owner=owner) for n, owner in enumerate(owners)], clock=clock)
    record = Record()
    shots = Shots()
    steps: list[Step] = ["/"]
    for text in ("owner:a", "owner:x", 'owner:"Ana M', "owner:h"):
        steps += [*retype(text), "tab", record]
    drive(app_on(work), *steps, shots)
    assert record.queries[:3] == ['owner:"Ana Maria" ', "owner:x*y ", 'owner:"Ana Maria" ']
    assert record.queries[3].startswith("owner:h")
    assert "\x1b" not in record.queries[3] + shots[0]
    assert "\u202e" not in record.queries[3] + shots[0]


def test_only_the_filter_under_the_cursor_is_replaced() -> None:
    record = Record()
    drive(app_on(), "/", *typed("is:p db"), *["left"] * 3, record, "tab", record)
    assert record.suggestions[0] == ["pinned", "pending"]
    assert record.queries[1] == "is:pinned db"


def test_esc_closes_the_suggestions_first() -> None:
    record = Record()
    drive(app_on(), "/", *typed("store:"), "escape", record, "b", record, "escape", record, "escape", record)
    assert record.suggestions == [[], ["base-coat"], [], []]
    assert record.queries[0] == "store:"
    assert record.focus == ["query", "query", "query", "list"]


def test_enter_or_moving_past_the_suggestions_focuses_the_list() -> None:
    cases = [("ci st", ["enter"]), ("ci st", ["down", "down", "down"]), ("ci", ["down"]), ("ci", ["tab"])]
    record = Record()
    steps: list[Step] = []
    for text, keys in cases:
        steps += ["/", *retype(text), record, *keys, record]
    drive(app_on(), *steps)
    for n, (text, keys) in enumerate(cases):
        assert record.suggestions[2 * n] == (["store:", "status:"] if text == "ci st" else []), (text, keys)
        assert record.focus[2 * n : 2 * n + 2] == ["query", "list"], (text, keys)
        assert record.suggestions[2 * n + 1] == [], (text, keys)


def test_the_suggestions_cover_the_detail_and_nothing_moves() -> None:
    shots = Shots()
    positions: list[int] = []

    @Probe
    def note_position(app: MemtuiApp) -> None:
        positions.append(app.screen.query_one(MemoryList).region.y)

    steps: list[Step] = ["ctrl+u", note_position, "c", shots, "a", shots, note_position]
    drive(app_on(), "/", (80, 24), *steps, (120, 36), *steps)
    for n, height in enumerate((24, 36)):
        before, now = (seen.splitlines() for seen in shots[2 * n : 2 * n + 2])
        assert "category:" in shots[2 * n + 1], height
        assert "category:" not in shots[2 * n], height
        unchanged = sum(old == new for old, new in zip(before, now, strict=True))
        assert unchanged >= height - 8, height
        assert positions[2 * n] == positions[2 * n + 1], height


def test_typing_does_not_wait_for_values() -> None:
    work = sample()
    work.gates["values"] = threading.Event()

    async def play(app: MemtuiApp, pilot: Pilot[Any]) -> None:
        await pilot.press("/", *"store", "colon")
        await wait_until(lambda: "values" in work.reached_gates)
        await pilot.press("b")
        assert query(app) == "store:b"
        assert suggested(app) == []
        work.gates["values"].set()
        await wait_until(lambda: suggested(app) == ["base-coat"])
        await wait_until(lambda: "base-coat" in screen_text(app))

    run_with_pilot(work, play)


def test_a_fault_is_marked_while_suggestions_are_open() -> None:
    record = Record()
    seen = drive(app_on(), "/", *typed("status:pen"), record)
    assert record.suggestions == [["pending"]]
    assert "search failed" in line_with(seen, "/ status:pen")


def test_a_click_accepts_a_suggestion() -> None:
    def type_filter(app: MemtuiApp) -> None:
        field = app.screen.query_one("#query", Input)
        field.focus()
        field.value = "tag:"

    record = Record()
    click(app_on(), type_filter, "release ", record)
    assert record.queries == ["tag:release "]
    assert record.focus == ["query"]


def test_tab_right_after_a_completion_keeps_the_focus() -> None:
    record = Record()
    drive(app_on(), "/", *typed("is:p"), "tab", "tab", record)
    assert record.focus == ["query"]


def test_the_results_stay_in_sight_beside_or_above_the_suggestions() -> None:
    work = FakeWorkspace([memory(n, f"result {n} is here") for n in range(1, 4)], clock=clock)
    shots = Shots()
    drive(app_on(work), "/", *typed("is:"), shots, (120, 30), shots, (80, 24), shots, (80, 14), shots)
    for shown in shots:
        assert "tab use" in shown
    for shown in shots[:3]:
        assert all(f"│    result {n} is here " in shown for n in (1, 2, 3)), shown
        assert "pinned" in shown
