"""Keys that cannot do anything show the reason (S-90)."""

from __future__ import annotations

from dataclasses import replace

from memtui.errors import Refused
from memtui.memory.journal import AgentActivity
from memtui.memory.relations import RelationOption
from memtui.memory.stores import PullResult
from memtui.tui.app import MemtuiApp
from memtui.tui.graph.relation_text import trail_text
from tests.support.app_driver import Shots, Typed, app_on, drive
from tests.support.fake_workspace import FakeWorkspace, sample, with_pairs


def status_line(shown: str) -> str:
    """Return the status line."""
    return shown.splitlines()[-2]


def test_the_graph_of_an_empty_list_is_refused_and_of_a_pair_is_shown() -> None:
    work, shots = with_pairs(), Shots()

    def delete_pairs(_: MemtuiApp) -> None:
        work.pairs_by_id.clear()

    drive(app_on(work), "/", Typed("zebra"), "enter", "o", shots, "escape", "3", "o", shots)
    assert "Nothing to show: the list is empty." in status_line(shots[0])
    assert "Graph" in shots[1].splitlines()[0]
    nothing = Shots()
    drive(app_on(work), delete_pairs, "3", "o", nothing)
    assert "No pair selected." in status_line(nothing[0])


def test_restore_on_an_entry_that_removed_nothing_is_refused() -> None:
    work, shots = sample(), Shots()
    work.pin([2])
    drive(app_on(work), "7", "R", shots)
    assert "Nothing to restore: this change didn't remove any memories. Press z to undo it." in status_line(
        shots[0]
    )


def test_a_clean_text_needs_no_cleaning() -> None:
    shots = Shots()
    drive(app_on(), "e", "ctrl+l", shots, "escape")
    assert "No unsupported characters here." in shots[0]


def test_stores_that_cannot_be_pulled_are_reported() -> None:
    class Busy(FakeWorkspace):
        def pull(self) -> PullResult:
            raise Refused("busy", "memory.jsonl is busy.", "Try again in a moment.")

    shots = Shots()
    drive(app_on(Busy(list(sample().memories.values()))), "r", shots)
    assert "memory.jsonl is busy." in status_line(shots[0])


def test_a_journal_that_cannot_be_read_is_reported() -> None:
    class Unreadable(FakeWorkspace):
        def agent_activity(self) -> AgentActivity:
            raise OSError(5, "Input/output error")

    shots = Shots()
    drive(app_on(Unreadable(list(sample().memories.values()))), "7", "V", shots)
    assert "Could not read the journal" in status_line(shots[0])


def test_ctrl_d_and_ctrl_u_scroll_half_a_page_in_a_long_memory() -> None:
    work, shots = sample(), Shots()
    for id, memory in work.memories.items():
        work.memories[id] = replace(memory, content="\n".join(f"line {number};" for number in range(200)))
    drive(app_on(work), "enter", shots, "ctrl+d", shots, "ctrl+u", shots, size=(80, 24))
    top, lower, back = shots
    assert "line 1;" in top
    assert "line 1;" not in lower
    assert back == top


def test_g_moves_to_the_first_pair_of_the_queue() -> None:
    shots = Shots()
    drive(app_on(with_pairs()), "3", shots, "j", "right", "g", shots)
    assert "1 of 4" in shots[0]
    assert "1 of 4" in shots[1]


def test_a_long_trail_is_cut_at_the_start() -> None:
    assert trail_text(["first", "second", "third"], 80) == "first › second › third"
    assert trail_text(["first", "second", "third"], 20) == "… › second › third"


def test_a_list_too_narrow_for_the_strength_bar_leaves_it_out() -> None:
    wide, narrow = Shots(), Shots()
    drive(app_on(), wide, (34, 24), narrow)
    assert "▇" in wide[0]
    assert "▇" not in narrow[0]


def test_a_refused_relation_is_shown_in_the_relate_dialog() -> None:
    class Locked(FakeWorkspace):
        def relation_options(self, id: int, other: int, typed: str = "") -> list[RelationOption]:
            raise Refused("read-only", "base-coat is read-only.")

    shots = Shots()
    drive(app_on(Locked(list(sample().memories.values()))), "O", "enter", shots, "escape")
    assert "base-coat is read-only." in shots[0]
