"""A key that finds nothing to work on says so; one that finds something does it (S-90)."""

from __future__ import annotations

from dataclasses import replace

from memtui.errors import Refused
from memtui.memory.journal import AgentActivity
from memtui.memory.relations import RelationOption
from memtui.memory.stores import PullResult
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.relation_text import trail_text
from tests.support.app_driver import Shots, Typed, app_on, drive
from tests.support.fake_workspace import FakeWorkspace, paired, sample


def status(shown: str) -> str:
    """The status line."""
    return shown.splitlines()[-2]


def test_graph_of_nothing_is_refused_and_of_a_side_is_shown() -> None:
    work, shots = paired(), Shots()

    def settled(_: MemtuiApp) -> None:
        work.findings.clear()

    drive(app_on(work), "/", Typed("zebra"), "enter", "o", shots, "escape", "3", "o", shots)
    assert "Nothing to show: the list is empty." in status(shots[0])
    assert "Graph" in shots[1].splitlines()[0]
    nothing = Shots()
    drive(app_on(work), settled, "3", "o", nothing)
    assert "Nothing to show: no pair is shown." in status(nothing[0])


def test_what_a_line_of_the_journal_removed_is_restored() -> None:
    work, shots = sample(), Shots()
    work.pin([2])
    drive(app_on(work), "7", "R", shots)
    assert "Nothing to restore: no memory was removed here. z takes a change back." in status(shots[0])


def test_a_text_without_odd_characters_needs_no_cleaning() -> None:
    shots = Shots()
    drive(app_on(), "e", "ctrl+l", shots, "escape")
    assert "Nothing to clean here." in shots[0]


def test_stores_that_cannot_be_read_are_told_when_asked_for_news() -> None:
    class Held(FakeWorkspace):
        def pull(self) -> PullResult:
            raise Refused("busy", "memory.jsonl is busy.", "Try again in a moment.")

    shots = Shots()
    drive(app_on(Held(list(sample().memories.values()))), "r", shots)
    assert "memory.jsonl is busy." in status(shots[0])


def test_a_journal_that_cannot_be_read_says_so() -> None:
    class Unread(FakeWorkspace):
        def since(self) -> AgentActivity:
            raise OSError(5, "Input/output error")

    shots = Shots()
    drive(app_on(Unread(list(sample().memories.values()))), "7", "s", shots)
    assert "The journal could not be read" in status(shots[0])


def test_half_a_page_down_and_up_in_a_long_memory() -> None:
    work, shots = sample(), Shots()
    for id, memory in work.memories.items():
        work.memories[id] = replace(memory, content="\n".join(f"line {number};" for number in range(200)))
    drive(app_on(work), "enter", shots, "ctrl+d", shots, "ctrl+u", shots, size=(80, 24))
    top, lower, again = shots
    assert "line 1;" in top
    assert "line 1;" not in lower
    assert again == top


def test_the_first_line_of_the_queue_from_beside_a_pair() -> None:
    shots = Shots()
    drive(app_on(paired()), "3", shots, "j", "right", "g", shots)
    assert "1 of 4" in shots[0]
    assert "1 of 4" in shots[1]


def test_the_way_back_is_cut_at_its_beginning() -> None:
    assert trail_text(["first", "second", "third"], 80) == "first › second › third"
    assert trail_text(["first", "second", "third"], 20) == "… › second › third"


def test_a_list_too_narrow_for_the_bar_shows_titles_and_ages() -> None:
    wide, narrow = Shots(), Shots()
    drive(app_on(), wide, (34, 24), narrow)
    assert "▇" in wide[0]
    assert "▇" not in narrow[0]


def test_what_cannot_be_tied_is_told_in_the_relate_dialog() -> None:
    class Locked(FakeWorkspace):
        def tyings(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
            raise Refused("read-only", "base-coat is read-only.")

    shots = Shots()
    drive(app_on(Locked(list(sample().memories.values()))), "O", "enter", shots, "escape")
    assert "base-coat is read-only." in shots[0]
