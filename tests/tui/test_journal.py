"""Journal: what happened, and taking it back."""

from __future__ import annotations

from dataclasses import replace

from memtui.memory.records import Event
from tests.support.app_driver import app_on, drive, line_with
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, sample


def changed() -> FakeWorkspace:
    """A workspace with a few changes by several hands."""
    work = sample()
    work.pin([2, 3])
    work.edit([7], {"content": "releases ship to PyPI on merge"})
    work.dismiss([5])
    work.events[0] = replace(work.events[0], at=NOW - 86400 * 3)
    work.events[1] = replace(work.events[1], at=NOW - 7200, actor="agent:claude-code", store="base-coat")
    return work


def test_it_shows_the_changes_newest_first(golden):
    golden("journal-120x36", drive(app_on(changed()), "7", "j"))
    golden("journal-80x24", drive(app_on(changed()), "7", size=(80, 24)))


def test_z_undoes_the_highlighted_change_and_not_the_last():
    work = changed()
    seen = drive(app_on(work), "7", "j", "z")
    assert "Undone: Edited 1 memory" in seen
    assert "U redo" in seen
    assert work.memories[7].content.endswith("on tag")
    assert work.memories[5].status == "dismissed"
    assert "undone" in line_with(seen, "agent claude-code")


def test_z_says_why_not():
    work = changed()
    assert "undone already" in drive(app_on(work), "7", "z", "z")
    work.events.append(
        Event(
            9,
            NOW,
            "sync:codex",
            "pulled",
            "3 added",
            "done",
            "A pull is undone by its own lines.",
            undoable=False,
        )
    )
    work.items[9] = []
    assert "A pull is undone by its own lines." in drive(app_on(work), "7", "z").splitlines()[-2]


def test_u_undoes_your_last_change_here_too():
    work = changed()
    drive(app_on(work), "7", "u")
    assert work.memories[5].status == "confirmed"


def test_enter_shows_the_change_alone_and_esc_goes_back():
    seen = drive(app_on(changed()), "7", "j", "enter", size=(80, 24))
    assert (
        "on tag → releases ship to PyPI on merge" in " ".join(seen.split())
        or "+ releases ship to PyPI on merge" in seen
    )
    assert "Journal ━" not in seen
    assert "Journal ━" in drive(app_on(changed()), "7", "enter", "escape", size=(80, 24))


def test_older_lines_are_read_when_the_end_comes_into_sight():
    work = sample()
    work.events = [Event(n, NOW - 1000 + n, "person", "pinned", f"change number {n}") for n in range(1, 501)]
    work.items = {n: [] for n in range(1, 501)}
    seen = drive(app_on(work), "7")
    assert "1 of 200+" in seen
    seen = drive(app_on(work), "7", "G", "G", "G")
    assert "change number 1 " in seen + " "
    assert "500 of 500" in seen


def test_a_change_on_browse_is_in_the_journal_at_once():
    seen = drive(app_on(), "7", "1", "p", "7")
    assert "unpinned" in line_with(seen, "you")


def test_no_changes_yet_says_what_would_be_here():
    seen = drive(app_on(FakeWorkspace([], clock=clock)), "7")
    assert "No changes yet." in seen
    assert "1  browse the memories" in seen


def test_erased_texts_are_told():
    work = changed()
    work.items[3] = [replace(item, before=None, after=None) for item in work.items[3]]
    assert "texts of this change were erased" in drive(app_on(work), "7")
