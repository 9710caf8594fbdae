"""Which memories find and replace searches, and that its first line says so (S-54)."""

from __future__ import annotations

from tests.support.app_driver import Shots, app_on, drive, typed
from tests.support.fake_workspace import FakeWorkspace, memory


def cats(answers: int) -> FakeWorkspace:
    """Return a workspace in which `answers` of three results answer “cat”; the others are only related."""
    texts = ("cat one", "kitten two", "kitten three", "dog four")
    work = FakeWorkspace([memory(n, text, subject="Pets [b]") for n, text in enumerate(texts, 1)])
    work.grouped_by = "entity"
    work.phase, work.nearest = "ready", {"cat": (1, 2, 3), "feline": (2, 3)}
    work.related_counts = {"cat": 3 - answers, "feline": 2}
    return work


def test_it_takes_what_is_marked_or_below_the_heading_or_answers_the_search_and_says_so() -> None:
    shots = Shots()
    search = ("/", *typed("cat"), "enter", shots, "%", shots, "escape")
    mark = ("g", "space", "space", "%", shots, "escape", "escape", "escape")
    drive(app_on(cats(1)), "j", "%", shots, "escape", "g", "%", shots, "escape", *search, *mark)
    whole, heading, found, results, marked = shots
    assert "Find and replace in all 4 memories ━" in whole
    assert "Find and replace in Pets [b] (4) ━" in heading
    assert "─── Related" in found
    assert "Find and replace in the one result ━" in results
    assert "Find and replace in 2 marked ━" in marked
    assert "Find and replace in the 2 results ━" in drive(app_on(cats(2)), "/", *typed("cat"), "enter", "%")


def test_results_that_are_all_only_related_are_not_searched() -> None:
    shown = drive(app_on(cats(0)), "/", *typed("feline"), "enter", "%")
    assert "Nothing to replace: all results are only related. Press space to mark one." in shown
