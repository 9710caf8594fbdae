"""Browse while the search in the bar has failed, or is not finished: the list is of an earlier one (S-31)."""

from __future__ import annotations

from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock, memory
from tests.tui.browse.test_grouping import memories, statuses


def people() -> FakeWorkspace:
    return FakeWorkspace(
        [memory(n, f"tea {n} of this entity", subject="Ana") for n in (1, 2, 3)], clock=clock
    )


def test_no_key_acts_on_the_list_while_the_search_has_failed() -> None:
    work, shots = people(), Shots()
    marked: list[int] = []
    note = Probe(lambda app: marked.append(len(memories(app).marks)))
    refused: list[Step] = []
    for key in ("space", "*", "d", "e", "y", "Y", "t", "delete", "%"):
        refused += [key, shots]
    drive(app_on(work), "/", *typed("is:nonsense"), "down", *refused, note, "escape", "*", note, "d", shots)
    assert len(shots) == 10
    for shot in shots[:-1]:
        assert "The list is of an earlier search." in shot
    assert marked == [0, 3]
    assert statuses(work) == ["dismissed"] * 3, "after esc the keys act again"


def test_a_filter_without_its_value_is_a_failure_once_the_search_bar_is_left() -> None:
    work, shots = people(), Shots()
    drive(app_on(work), "/", *typed("is:zz"), shots, "ctrl+u", *typed("tea entity:"), shots, "enter", shots,
          "*", "d", shots, "/", *typed("ana"), "enter", "*", "d", shots)  # fmt: skip
    bad, typing, left, marked, searched = shots
    assert "search failed" in bad
    assert "search failed" not in typing
    assert "needs a value" not in typing
    assert "tea 3" in typing
    assert "search failed" in line_with(left, "/ tea entity:")
    assert "entity: needs a value, for example entity:" in left
    assert "The list is of an earlier search." in marked
    assert "Dismissed 3 memories" in searched
