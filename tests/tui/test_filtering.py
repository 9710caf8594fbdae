"""`f`: what is found, by store and category and so on; `w`: searches that are kept (S-32)."""

from __future__ import annotations

import pytest

from memtui.errors import Refused
from memtui.tui import filtering
from memtui.tui.app import MemtuiApp
from memtui.tui.dialogs.filter import ChoiceList
from tests.support.app_driver import app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory, sample
from tests.tui.test_mouse import clicked


def query(app: MemtuiApp) -> str:
    return str(app.screen_stack[0].query_one("#query").value)


def asked(*keys, work: FakeWorkspace | None = None) -> str:
    """The query after some keys."""
    seen: list[str] = []
    drive(app_on(work), *keys, lambda a: seen.append(query(a)))
    return seen[0]


def lines(app: MemtuiApp) -> list[tuple[str, str, int]]:
    return [(each.name, each.value, each.count) for each in app.screen.query_one(ChoiceList).lines]


def test_it_counts_what_is_found(golden) -> None:
    golden("filter-80x24", drive(app_on(), "f", "down", "space", size=(80, 24)))
    seen: list = []
    drive(app_on(), "/", *typed("memtui"), "enter", "f", lambda a: seen.extend(lines(a)))
    assert seen[:3] == [("store", "base-coat", 2), ("category", "fact", 2), ("status", "confirmed", 1)]
    assert not any(name == "owner" for name, *_ in seen)  # nobody has one


def test_space_chooses_a_value_and_the_list_is_searched_when_it_closes() -> None:
    app = app_on()
    seen = drive(app, "f", *typed("founder"), "space", "escape")
    assert "/ store:founder-os" in seen
    assert "Filter" not in seen
    assert asked("f", *typed("founder"), "space", "space", "escape") == ""
    assert asked("/", *typed("ci"), "enter", "f", *typed("fact"), "enter", "escape") == "category:fact ci"


def test_two_values_ask_for_either_and_keep_their_places() -> None:
    seen: list = []
    drive(app_on(), "f", "space", lambda a: seen.extend(lines(a)), "down")
    assert [each[:2] for each in seen[:3]] == [
        ("store", "native"),
        ("store", "founder-os"),
        ("store", "base-coat"),
    ]
    assert asked("f", "space", "down", "space", "escape") == "store:founder-os store:native"


def test_a_query_with_a_fault_says_so_and_still_shows_saved_searches() -> None:
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
def test_a_value_goes_in_and_out_of_a_query(before: str, name: str, value: str, after: str) -> None:
    assert filtering.toggled(before, name, value) == after


def test_w_keeps_a_search_and_f_runs_it() -> None:
    work = sample()
    seen = drive(app_on(work), "/", *typed("ci"), "enter", "w", *typed("builds"), "enter")
    assert "Kept as “builds”." in seen
    assert work.searches_kept["builds"].query == "ci"
    seen = drive(app_on(work), "f", "enter")
    assert "/ ci" in seen
    assert "CI takes" in seen
    seen = drive(app_on(work), "ctrl+p", *typed("builds"), "enter")
    assert "/ ci" in seen


def test_it_keeps_the_order_too() -> None:
    work = sample()
    drive(app_on(work), "/", *typed("ci"), "enter", ",", "w", *typed("new builds"), "enter")
    assert work.searches_kept["new builds"].sort == "newest"
    assert "live · newest first" in drive(app_on(work), "f", "enter")


def test_the_same_name_replaces_and_says_so() -> None:
    work = sample()
    work.save_search("builds", "pipeline")
    seen = drive(app_on(work), "/", *typed("ci"), "enter", "w", *typed("builds"))
    assert "It takes the place of: pipeline" in seen
    seen = drive(app_on(work), "/", *typed("ci"), "enter", "w", *typed("builds"), "enter")
    assert "Kept as “builds” in the place of: pipeline" in seen
    assert work.searches_kept["builds"].query == "ci"


def test_a_saved_search_is_forgotten_after_saying_so() -> None:
    work = sample()
    work.save_search("builds", "ci")
    seen = drive(app_on(work), "f", "ctrl+r")
    assert "ctrl+r again forgets “builds”" in seen
    assert work.searches_kept
    drive(app_on(work), "f", "ctrl+r", "down", "up", "ctrl+r")
    assert work.searches_kept
    seen = drive(app_on(work), "f", "ctrl+r", "ctrl+r")
    assert "Forgotten: builds. It searched for ci" in seen
    assert not work.searches_kept
    assert "Only a saved search can be forgotten." in drive(app_on(work), "f", "ctrl+r")


def test_what_cannot_be_kept_is_told() -> None:
    assert "Nothing to keep: everything is shown." in drive(app_on(), "w")
    assert "a name has 1 to 60" in drive(app_on(), "/", *typed("ci"), "enter", "w", "enter")
    assert asked("/", *typed("ci"), "enter", "w", *typed("x"), "escape") == "ci"
    work = sample()

    def refuse(name: str) -> None:
        raise Refused("read-only", "Not changed: the workspace is read-only.")

    work.save_search("builds", "ci")
    work.forget_search = refuse
    assert "the workspace is read-only" in drive(app_on(work), "f", "ctrl+r", "ctrl+r")


def test_hostile_values_and_names_are_shown_safely() -> None:
    bad = "a\x1b[31m\u202eb [b]x[/b]"
    work = FakeWorkspace([memory(1, "one", owner=bad, tags=(bad,), store=bad, category=bad)], clock=clock)
    work.save_search(bad, bad)
    for keys in (["f"], ["f", "down", "space"], ["f", "ctrl+r"], ["ctrl+p", *typed("[b]")]):
        seen = drive(app_on(work), *keys, size=(80, 24))
        assert "\x1b" not in seen
        assert "\u202e" not in seen
        assert "[b]x[/b]" in seen


def test_two_clicks_choose_a_value() -> None:
    seen: list[str] = []
    note = lambda a: seen.append(a.screen._query)  # noqa: E731
    clicked(app_on(), lambda a: a.screen.action_filter(), "pref ", note, times=2)
    assert seen == ["category:pref"]
