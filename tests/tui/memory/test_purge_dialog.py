"""Purge: the one command that asks first, and what it says before (S-50)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from memtui.errors import Refused
from memtui.memory.results import PurgeResult
from memtui.memory.stores import Backup
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.purge import PurgeDialog
from tests.support.app_driver import Shots, Step, app_on, drive, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, stored
from tests.support.hostile.memories import bad

PURGE = typed("purge")


def opened(*ids: int, answers: list[PurgeResult | None] | None = None) -> Callable[[MemtuiApp], None]:
    """A step that opens the dialog on these memories."""
    heard: list[PurgeResult | None] = [] if answers is None else answers

    def push(app: MemtuiApp) -> None:
        assert app.workspace is not None
        app.push_screen(PurgeDialog(app.workspace, list(ids)), heard.append)

    return push


def test_it_shows_what_is_erased_where_and_which_backups_still_hold_it(
    golden: Callable[[str, str], None],
) -> None:
    shots = Shots()
    drive(app_on(stored()), opened(2, 3), shots, "escape", (80, 24), opened(2, 3), "ctrl+b", shots)
    golden("purge-120x36", shots[0])
    assert "✗ memtui is a web app (React)" in shots[0]
    assert "2 backups still hold their text" in shots[0]
    golden("purge-80x24", shots[1])


def test_only_the_typed_word_erases_and_ctrl_b_twice_keeps_the_backups() -> None:
    work, shots, answers = stored(), Shots(), list[PurgeResult | None]()
    unpurged: list[bool] = []
    refused: list[Step] = ["enter", *typed("X"), "enter", shots, lambda _: unpurged.append(not work.purged)]
    drive(
        app_on(work),
        opened(2, 3, answers=answers),
        *refused,
        "backspace",
        "ctrl+b",
        "ctrl+b",
        *PURGE,
        "enter",
    )
    assert "Nothing was erased: type purge" in shots[0]
    assert unpurged == [True]
    assert work.purged == [2, 3]
    (answer,) = answers
    assert answer is not None
    assert answer.count == 2
    assert len(answer.backups) == 2
    assert len(work.kept) == 2


def test_escape_leaves_everything_and_ctrl_b_erases_the_backups_too() -> None:
    work, answers = stored(), list[PurgeResult | None]()
    left: list[tuple[bool, list[PurgeResult | None], int]] = []
    drive(
        app_on(work), opened(2, answers=answers), *PURGE, "escape",
        lambda _: left.append((not work.purged, list(answers), len(work.kept))),
        opened(2, answers=answers), "ctrl+b", *PURGE, "enter",
    )  # fmt: skip
    assert left == [(True, [None], 2)]
    assert work.purged == [2]
    assert work.kept == []
    answer = answers[1]
    assert answer is not None
    assert answer.backups == ()
    assert "deleted 2 backups" in answer.summary


def test_what_cannot_be_erased_stays_in_the_dialog_with_the_reason() -> None:
    work, shots, answers = stored(), Shots(), list[PurgeResult | None]()

    def refuse(_: MemtuiApp) -> None:
        work.raising = {"purge": Refused("busy", "memory.jsonl is busy.", "Nothing was erased.")}

    def unreadable(_: MemtuiApp) -> None:
        def fail(ids: Sequence[int]) -> NoReturn:
            raise ZeroDivisionError

        work.raising = {}
        work.holding = fail  # type: ignore[method-assign]

    drive(
        app_on(work), opened(4), "ctrl+b", shots, "escape", refuse,
        opened(2, answers=answers), *PURGE, "enter", shots, lambda _: shots.append(str(answers)), "escape",
        unreadable, opened(2), *PURGE, "enter", shots,
    )  # fmt: skip
    without, busy, answered, unread = shots
    assert "No backup holds their text." in without
    assert "No backup holds these memories." in without
    assert "ctrl+b" not in without
    assert "memory.jsonl is busy. Nothing was erased." in busy
    assert answered == "[]", "the dialog is still open"
    assert "They could not be read." in unread
    assert not work.purged


def test_many_memories_and_many_backups_are_cut_with_a_number() -> None:
    work, shots = (
        FakeWorkspace([memory(n, f"memory {n}", store="s") for n in range(1, 31)], clock=clock),
        Shots(),
    )
    work.kept = [Backup(f"b{n}", "s", NOW - n * 86400, "/b", 1) for n in range(14)]
    drive(app_on(work), opened(*range(1, 31)), shots, (60, 16), *PURGE, "enter", size=(100, 50))
    assert "Purge 30 memories" in shots[0]
    assert "and 20 more" in shots[0]
    assert "and 4 more" in shots[0]
    assert len(work.purged) == 30


def test_hostile_labels_are_drawn_as_text_alone() -> None:
    evil = "\x1b[2J[/foo]\u202e [@click=app.quit]x[/]"
    work, shots = FakeWorkspace([memory(1, evil, store=evil)], clock=clock), Shots()
    work.kept = [Backup(evil, evil, NOW, evil, 1)]
    drive(app_on(work), opened(1), shots, "ctrl+b", shots)
    for shown in shots:
        assert not bad(shown), bad(shown)
        assert "[/foo]" in shown
