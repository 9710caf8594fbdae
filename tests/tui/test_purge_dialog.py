"""Purge: the one thing that asks, and what it says before (S-50)."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.records import Backup
from memtui.tui.dialogs.purge import PurgeDialog
from tests.support.app_driver import app_on, drive, screen, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, stored

answers: list[object] = []


def opened(*ids: int):
    """Open the dialog on these memories."""

    def push(app):
        app.push_screen(PurgeDialog(app.workspace, list(ids)), answers.append)

    answers.clear()
    return push


def test_it_shows_what_goes_where_and_which_backups_still_hold_it(golden):
    seen = drive(app_on(stored()), opened(2, 3))
    golden("purge-120x36", seen)
    assert "✗ memtui is a web app (React)" in seen
    assert "2 backups still hold their text" in seen
    golden("purge-80x24", drive(app_on(stored()), opened(2, 3), "ctrl+b", size=(80, 24)))


def test_only_the_typed_word_erases():
    work = stored()
    seen = drive(app_on(work), opened(2, 3), "enter", *typed("X"), "enter")
    assert "Nothing was erased: type purge" in seen
    assert not work.purged
    drive(app_on(work), opened(2, 3), *typed("purge"), "enter")
    assert work.purged == [2, 3]
    assert answers[0].count == 2
    assert len(answers[0].backups) == 2
    assert len(work.kept) == 2


def test_the_backups_go_too_if_that_was_asked_for():
    work = stored()
    drive(app_on(work), opened(2), "ctrl+b", *typed("purge"), "enter")
    assert work.kept == []
    assert answers[0].backups == ()
    assert "deleted 2 backups" in answers[0].summary


def test_ctrl_b_twice_keeps_them():
    work = stored()
    drive(app_on(work), opened(2), "ctrl+b", "ctrl+b", *typed("purge"), "enter")
    assert len(work.kept) == 2


def test_without_backups_there_is_nothing_to_choose():
    seen = drive(app_on(stored()), opened(4), "ctrl+b")
    assert "No backup holds their text." in seen
    assert "No backup holds these memories." in seen
    assert "ctrl+b" not in seen


def test_esc_leaves_everything():
    work = stored()
    drive(app_on(work), opened(2), *typed("purge"), "escape")
    assert not work.purged
    assert answers == [None]


def test_a_refusal_stays_in_the_dialog():
    work = stored()
    work.raising = {"purge": Refused("busy", "memory.jsonl is busy.", "Nothing was erased.")}
    seen = drive(app_on(work), opened(2), *typed("purge"), "enter")
    assert "memory.jsonl is busy. Nothing was erased." in seen
    assert not answers


def test_what_cannot_be_shown_is_not_erased():
    work = stored()
    work.holding = lambda ids: 1 / 0
    seen = drive(app_on(work), opened(2), *typed("purge"), "enter")
    assert "They could not be read." in seen
    assert not work.purged


def test_many_memories_and_many_backups_are_cut_with_a_number():
    work = FakeWorkspace([memory(n, f"memory {n}", store="s") for n in range(1, 31)], clock=clock)
    work.kept = [Backup(f"b{n}", "s", NOW - n * 86400, "/b", 1) for n in range(14)]
    seen = drive(app_on(work), opened(*range(1, 31)), size=(100, 50))
    assert "Purge 30 memories" in seen
    assert "and 20 more" in seen
    assert "and 4 more" in seen
    seen = drive(app_on(work), opened(*range(1, 31)), *typed("purge"), "enter", size=(60, 16))
    assert len(work.purged) == 30


def test_hostile_labels_are_only_text():
    evil = "\x1b[2J[/foo]\u202e [@click=app.quit]x[/]"
    work = FakeWorkspace([memory(1, evil, store=evil)], clock=clock)
    work.kept = [Backup(evil, evil, NOW, evil, 1)]

    def look(app):
        assert not any(c in screen(app) for c in "\x1b\u202e")

    assert "[/foo]" in drive(app_on(work), opened(1), look, "ctrl+b", look)
