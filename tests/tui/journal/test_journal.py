"""The Journal screen: the list of changes, and undoing any of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from memtui.memory.journal import Event
from tests.support.app_driver import Shots, app_on, drive, line_with
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, sample


def changed() -> FakeWorkspace:
    """Return a workspace with a few changes, one of them by an agent."""
    work = sample()
    work.pin([2, 3])
    work.edit([7], {"content": "releases ship to PyPI on merge"})
    work.dismiss([5])
    work.events[0] = replace(work.events[0], at=NOW - 86400 * 3)
    work.events[1] = replace(work.events[1], at=NOW - 7200, actor="agent:claude-code")
    return work


def test_changes_are_listed_newest_first(golden: Callable[[str, str], None]) -> None:
    work, shots = changed(), Shots()

    def erase(_: object) -> None:
        work.items[3] = [replace(item, before=None, after=None) for item in work.items[3]]

    drive(app_on(work), "7", "j", shots, "k", (80, 24), shots, erase, "j", "k", (120, 36), shots, "G", shots)
    wide, narrow, erased, pinned = shots
    golden("journal-120x36", wide)
    golden("journal-80x24", narrow)
    assert "text of this change was purged" not in wide + narrow
    assert "text of this change was purged" in erased
    assert "pinned  no → yes" in pinned
    assert "pinned by  nothing → person" in pinned


def test_an_entry_that_cannot_be_shown_hides_no_other() -> None:
    work = changed()
    work.events[1] = replace(work.events[1], at="never")  # type: ignore[arg-type]
    shown = drive(app_on(work), "7")
    assert "! Can't show this line" in shown
    assert "planning call" in shown
    assert "2 memories" in shown
    assert "1 of 3" in shown


def test_z_undoes_the_highlighted_change_or_shows_why_not() -> None:
    work, shots = changed(), Shots()
    why = "A pull is undone by its own lines."
    work.events.append(Event(9, NOW, "sync:codex", "pulled", "3 added", "done", why, undoable=False))
    work.items[9] = []
    drive(app_on(work), "7", "z", shots, "j", "j", "z", shots, "z", shots)
    pull, undone, repeated = shots
    assert why in pull.splitlines()[-2]
    assert "Undone: Edited 1 memory" in undone
    assert "U redo" in undone
    assert work.memories[7].content.endswith("on tag")
    assert work.memories[5].status == "dismissed", "not the last change"
    assert "undone" in line_with(undone, "agent claude-code")
    assert "already undone" in repeated


def test_z_on_an_undo_redoes_the_change_and_names_the_key_that_undoes_it() -> None:
    work, shots = changed(), Shots()
    drive(app_on(work), "1", "p", "7", "u", "g", shots, "z", shots)
    undone, redone = shots
    assert "Undone: Unpinned 1 memory" in undone.splitlines()[-2]
    assert "Redone: Unpinned 1 memory" in redone.splitlines()[-2]
    assert redone.splitlines()[-2].rstrip().endswith("u undo")


def test_u_warns_once_then_undoes_the_last_change_and_changes_on_browse_are_listed_immediately() -> None:
    work, shots = changed(), Shots()
    work.events.append(Event(4, NOW, "person", "detached", "Detached codex", count=0))
    work.items[4] = []
    statuses: list[str] = []

    def note_status(_: object) -> None:
        statuses.append(work.memories[5].status)

    drive(app_on(work), "7", "u", note_status, shots, "u", note_status, shots, "1", "p", "7", shots)
    warned, undone, unpinned = shots
    assert statuses == ["dismissed", "confirmed"], "only the second key undoes it"
    assert "“Detached codex” can't be undone.  Undo again to revert" in warned
    assert "Undone: Dismissed 1 memory" in undone
    assert not line_with(undone, "unpinned")
    assert "you" in line_with(unpinned, "unpinned")


def test_enter_shows_one_change_in_full_and_escape_goes_back() -> None:
    shots = Shots()
    drive(app_on(changed()), "7", "j", shots, "enter", shots, "escape", shots, size=(80, 24))
    listed, alone, back = shots
    assert "releases ship to PyPI on tag → releases ship to PyPI on merge" in line_with(alone, "content")
    assert "Journal ━" in listed
    assert "Journal ━" not in alone
    assert "Journal ━" in back


def test_older_entries_are_loaded_at_the_end_of_the_list() -> None:
    work, shots = sample(), Shots()
    work.events = [Event(n, NOW - 1000 + n, "person", "pinned", f"change number {n}") for n in range(1, 501)]
    work.items = {n: [] for n in range(1, 501)}
    drive(app_on(work), "7", shots, "G", "G", "G", shots)
    assert "1 of 200+" in shots[0]
    assert "change number 1 " in shots[1] + " "
    assert "500 of 500" in shots[1]


def test_an_empty_journal_explains_itself() -> None:
    seen = drive(app_on(FakeWorkspace([], clock=clock)), "7")
    assert "No changes yet." in seen
    assert "1  browse memories" in seen


@pytest.mark.parametrize("width", [80, 120])
def test_kinds_of_changes_are_shown_in_words(width: int) -> None:
    work = FakeWorkspace([memory(1, "one")], clock=clock)
    kinds = ("related", "retied", "unrelated", "superseded")
    work.events = [Event(n, NOW, "person", kind, f"change {n}") for n, kind in enumerate(kinds, 1)]
    work.events.append(Event(5, NOW, "person", "undone", "Undone: change 2", change="retied"))
    seen = drive(app_on(work), "7", size=(width, 24))
    for words in ("related ", "relation changed ", "relation removed ", "replaced "):
        assert words in seen
    assert "undone           relation changed" in seen
    for raw in ("retied", "unrelated", "superseded"):
        assert raw not in seen


def test_rows_name_what_many_memories_share() -> None:
    work = sample()
    for id in (2, 3):
        work.memories[id] = replace(work.memories[id], subject="Label printer")
    work.pin([2, 3])
    work.events.append(replace(work.events[0], id=work.events[0].id + 1, entity="Label printer"))
    work.items[work.events[-1].id] = work.items[work.events[0].id]
    copied = replace(work.events[-1], id=work.events[-1].id + 1, kind="copied", store="founder-os")
    work.events.append(copied)
    work.items[copied.id] = work.items[work.events[0].id]
    seen = drive(app_on(work), "7", size=(80, 24))
    assert "2 memories of Label printer" in seen
    assert "2 memories to founder-os" in seen
