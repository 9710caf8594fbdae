"""The filter dialog (`f`), which counts the results by store, category and so on, and saved searches (`w`)
(S-32)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from textual.widgets import Input

from memtui.errors import Refused
from memtui.tui.app import MemtuiApp
from memtui.tui.browse import filter_model
from memtui.tui.browse.filter_dialog import FilterDialog, FilterList
from memtui.tui.browse.screen import BrowseScreen
from tests.support import app_driver
from tests.support.app_driver import Probe, Shots, Step, app_on, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.support.mouse import click

drive = partial(app_driver.drive, size=(80, 24))  # a larger screen costs twice as much

Golden = Callable[[str, str], None]
CI = ["/", "ctrl+u", *typed("ci"), "enter"]  # searches for it


class Queries(list[str]):
    """A step that records the query."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append(app.screen_stack[0].query_one("#query", Input).value)


class Choices(list[list[tuple[str, str, int]]]):
    """A step that records the choices of the dialog."""

    def __call__(self, app: MemtuiApp) -> None:
        self.append(
            [(each.name, each.value, each.count) for each in app.screen.query_one(FilterList).choices]
        )


def test_the_values_of_the_results_are_listed_with_counts(golden: Golden) -> None:
    shots = Shots()
    choices = Choices()
    filters = ["f", "down", "space"]
    reopen = ["escape", "/", *typed("memtui"), "enter", "f"]
    drive(app_on(), *filters, shots, *reopen, choices, size=(80, 24))
    golden("filter-80x24", shots[0])
    assert choices[0][:3] == [("store", "base-coat", 2), ("category", "fact", 2), ("status", "confirmed", 1)]
    assert not any(name == "owner" for name, *_ in choices[0])  # no memory has one


def test_space_chooses_values_and_enter_searches_for_them() -> None:
    queries = Queries()
    shots = Shots()
    drive(
        app_on(),
        "f", *typed("founder"), "space", "space", "enter", queries,
        "f", *typed("founder"), "space", "enter", queries, shots,
        *CI, "f", *typed("fact"), "enter", queries,
    )  # fmt: skip
    assert queries == ["", "store:founder-os", "category:fact ci"]
    assert "/ store:founder-os" in shots[0]
    assert "Filter" not in shots[0]


def test_esc_keeps_the_search() -> None:
    queries, shots = Queries(), Shots()
    drive(app_on(), *CI, shots, "f", "space", "down", "space", "escape", queries, shots)
    assert queries == ["ci"]
    assert shots[0] == shots[1]


def test_two_values_of_a_filter_are_alternatives_and_keep_their_places() -> None:
    queries, choices = Queries(), Choices()
    drive(app_on(), "f", "space", choices, "down", "space", choices, "enter", queries)
    stores = [("store", "native"), ("store", "founder-os"), ("store", "base-coat")]
    for seen in choices:
        assert [each[:2] for each in seen[:3]] == stores
    assert queries == ["store:founder-os store:native"]


def test_an_invalid_query_shows_its_fault_and_the_saved_searches() -> None:
    work = sample()
    work.save_search("mine", "ci")
    seen = drive(app_on(work), "/", *typed("status:zz"), "enter", "f")
    assert "There is no status “zz”." in seen
    assert "saved" in line_with(seen, "mine")


@pytest.mark.parametrize(
    ("before", "name", "value", "after"),
    [
        ("", "tag", "work", "tag:work"),
        ("pyth", "owner", "Ana Maria", 'owner:"Ana Maria" pyth'),
        ('owner:"Ana Maria" pyth', "owner", "Ana Maria", "pyth"),
        ("a tag:work b", "tag", "work", "a b"),
        ("-tag:work", "tag", "work", "tag:work -tag:work"),
        ("tag:work tag:x tag:work", "tag", "work", "tag:x"),
        ('"half a phrase', "kind", "lesson", 'kind:lesson "half a phrase'),
    ],
)
def test_a_value_is_toggled_in_a_query(before: str, name: str, value: str, after: str) -> None:
    assert filter_model.toggled(before, name, value) == after


def test_w_saves_a_search_that_f_and_the_palette_run() -> None:
    work = sample()
    shots = Shots()
    runs: list[Step] = ["escape", shots, "f", "enter", shots, "escape", "ctrl+p", *typed("builds"), "enter"]
    drive(app_on(work), *CI, "w", *typed("builds"), "enter", shots, *runs, shots)
    saved, cleared, filtered, named = shots
    assert "Saved as “builds”" in saved
    assert work.saved["builds"].query == "ci"
    assert "/ ci" not in cleared
    assert "/ ci" in filtered
    assert "CI takes" in filtered
    assert "/ ci" in named


def test_a_saved_search_keeps_its_sort_order() -> None:
    work = sample()
    shots = Shots()
    keys = [*CI, ",", "w", *typed("new"), "enter", "escape", ","]
    drive(app_on(work), *keys, shots, "f", "enter", shots, size=(120, 36))
    assert work.saved["new"].sort == "newest"
    assert "Memories · oldest first" in shots[0]
    assert "Memories · newest first" in shots[1]


def test_saving_under_an_existing_name_replaces_it_and_says_so() -> None:
    work = sample()
    work.save_search("builds", "pipeline")
    shots = Shots()
    drive(app_on(work), *CI, "w", *typed("builds"), shots, "enter", shots)
    assert "Replaces: pipeline" in shots[0]
    assert "Saved as “builds”, replacing: pipeline" in shots[1]
    assert work.saved["builds"].query == "ci"


def test_a_saved_search_is_deleted_on_the_second_key_press() -> None:
    work = sample()
    work.save_search("builds", "ci")
    shots = Shots()
    saved: list[int] = []

    @Probe
    def note(app: MemtuiApp) -> None:
        saved.append(len(work.saved))

    steps: list[Step] = ["ctrl+r", shots, note, "down", "up", "ctrl+r", note, "ctrl+r", shots, note]
    drive(app_on(work), "f", *steps, "ctrl+r", shots)
    assert "Press ctrl+r again to delete “builds”" in shots[0]
    assert saved == [1, 1, 0]
    assert "Deleted saved search “builds”: ci" in shots[1]
    assert "Only saved searches can be deleted." in shots[2]


def test_a_search_that_cannot_be_saved_or_deleted_shows_the_reason() -> None:
    class Frozen(FakeWorkspace):
        def delete_search(self, name: str) -> None:
            raise Refused("read-only", "Not changed: the workspace is read-only.")

    work = Frozen(list(sample().memories.values()), clock=clock)
    work.save_search("builds", "pipeline")
    queries = Queries()
    shots = Shots()
    drive(
        app_on(work),
        "w", shots,
        *CI, "w", "enter", shots, "x", "escape", queries,
        "f", "ctrl+r", "ctrl+r", shots,
    )  # fmt: skip
    assert "Nothing to save: no search and no filter." in shots[0]
    assert "a name must have 1 to 60" in shots[1]
    assert queries == ["ci"]
    assert set(work.saved) == {"builds"}
    assert "the workspace is read-only" in shots[2]


def test_hostile_values_and_names_are_shown_safely() -> None:
    bad = "a\x1b[31m\u202eb [b]x[/b]"
    work = FakeWorkspace([memory(1, "one", owner=bad, tags=(bad,), store=bad, category=bad)], clock=clock)
    work.save_search(bad, bad)
    shots = Shots()
    steps: list[Step] = ["f", shots, "ctrl+r", shots, "down", "space", shots]
    drive(app_on(work), *steps, "escape", "ctrl+p", *typed("[b]"), shots, size=(80, 24))
    assert "Press ctrl+r again to delete" in shots[1]
    for seen in shots:
        assert "\x1b" not in seen
        assert "\u202e" not in seen
        assert "[b]x[/b]" in seen


def test_a_double_click_chooses_a_value() -> None:
    queries: list[str] = []

    def open_dialog(app: MemtuiApp) -> None:
        assert isinstance(app.screen, BrowseScreen)
        app.screen.action_filter()

    @Probe
    def note(app: MemtuiApp) -> None:
        assert isinstance(app.screen, FilterDialog)
        queries.append(app.screen._query)

    click(app_on(), open_dialog, "pref ", note, times=2)
    assert queries == ["category:pref"]
