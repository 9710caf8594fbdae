"""Clicks do what keys do, and stored text is never clickable."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from tests.support.app_driver import Probe, app_on, strips
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.mouse import click


def test_a_click_on_a_tab_opens_its_screen() -> None:
    assert "[7 Journal]" in click(app_on(), "7 Journal")
    assert "[1 Browse]" in click(app_on(), "7 Journal", "1 Browse")


def test_a_click_on_a_key_in_the_footer_runs_its_command() -> None:
    work = sample()
    seen = click(app_on(work), "CI takes", "p pin")
    assert work.memories[4].pinned
    assert "Pinned 1 memory" in seen
    assert "Keys in Browse" in click(app_on(work), "? help")
    click(app_on(work), "u undo")
    assert not work.memories[4].pinned


def test_a_click_in_the_footer_leaves_the_search() -> None:
    def check_focus(app: MemtuiApp) -> None:
        assert app.screen.query_one("#list", MemoryList).has_focus

    click(app_on(), lambda a: a.screen.query_one("#query").focus(), "esc back", check_focus)


def test_a_click_moves_the_cursor_and_a_double_click_opens() -> None:
    seen = click(app_on(), "CI takes", times=2)
    assert "esc back" in seen
    assert "releases" not in seen


def test_a_click_loads_the_news() -> None:
    work = sample()

    def write_as_agent(app: MemtuiApp) -> None:
        work.news = [memory(1, "written by an agent")]
        app.store_watcher._news = {"codex": [1, 0, 0, 0]}
        app.news = 1

    seen = click(app_on(work), write_as_agent, "● 1 new")
    assert "written by an agent" in seen
    assert "● 1 new" not in seen


def test_the_wheel_scrolls_lists_and_texts() -> None:
    from textual import events

    many = FakeWorkspace([memory(n, f"number {n}\n" * 80) for n in range(1, 99)], clock=clock)

    def wheel(name: str) -> Callable[[MemtuiApp], None]:
        def scroll(app: MemtuiApp) -> None:
            widget = app.screen.query_one(name)
            place = widget.region.offset
            event = events.MouseScrollDown(
                widget, place.x + 2, place.y + 2, 0, 0, 0, False, False, False, place.x + 2, place.y + 2
            )
            widget.post_message(event)

        return scroll

    def scrolled(name: str) -> Callable[[MemtuiApp], object]:
        @Probe
        def check(app: MemtuiApp) -> None:
            assert app.screen.query_one(name).scroll_y > 0

        return check

    click(app_on(many), wheel("#list"), scrolled("#list"), wheel("#detail"), scrolled("#detail"))


@pytest.mark.parametrize("text", ["[@click=app.quit]gotcha[/]", "[link=https://x.y]gotcha[/link]"])
def test_stored_text_is_never_clickable(text: str) -> None:
    work = FakeWorkspace([memory(1, text)], clock=clock)
    app = app_on(work)

    def check_no_links(app: MemtuiApp) -> None:
        for line in strips(app):
            for segment in (segment for strip in line for segment in strip):
                assert not (segment.style and (segment.style.link or "@click" in segment.style.meta))

    click(app, check_no_links, "gotcha", "gotcha", check_no_links)
    assert not app._exit
