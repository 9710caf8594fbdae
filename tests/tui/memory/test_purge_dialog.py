"""The dialog of purge, the one command that asks for confirmation (S-50)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import pytest

from memtui.errors import Refused
from memtui.memory.results import ErasureResult
from memtui.memory.stores import Backup
from memtui.tui.app import MemtuiApp
from memtui.tui.browse.screen import BrowseScreen
from memtui.tui.memory.purge import PurgeDialog, PurgeJob
from memtui.workspace.background import JobControl
from tests.support.app_driver import Shots, Step, app_on, drive, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, memory, with_stores
from tests.support.hostile.memories import unsafe_characters

PURGE = typed("purge")


def open_dialog(*ids: int, results: list[ErasureResult | None] | None = None) -> Callable[[MemtuiApp], None]:
    """Return a step that opens the dialog on these memories; `results` receives what it returns."""
    received: list[ErasureResult | None] = [] if results is None else results

    def receive(closed: ErasureResult | PurgeJob | None) -> None:
        received.append(closed(None) if callable(closed) else closed)

    def push(app: MemtuiApp) -> None:
        assert app.workspace is not None
        app.push_screen(PurgeDialog(app.workspace, list(ids)), receive)

    return push


def test_the_dialog_shows_what_is_erased_and_which_backups_contain_it(
    golden: Callable[[str, str], None],
) -> None:
    shots = Shots()
    drive(
        app_on(with_stores()),
        open_dialog(2, 3),
        shots,
        "escape",
        (80, 24),
        open_dialog(2, 3),
        "ctrl+b",
        shots,
    )
    golden("purge-120x36", shots[0])
    assert "✗ memtui is a web app (React)" in shots[0]
    assert "2 backups still contain the text" in shots[0]
    golden("purge-80x24", shots[1])


def test_the_word_to_type_stays_in_view_below_many_backups() -> None:
    work, shots = with_stores(), Shots()
    work.stored_backups = [replace(work.stored_backups[0], id=f"b{n}") for n in range(12)]
    drive(app_on(work), (80, 24), open_dialog(2, 3), *typed("pur"), shots)
    lines = [line for line in shots[0].splitlines() if "Type purge and press" in line or "┃  pur" in line]
    assert len(lines) == 2


def test_only_the_typed_word_erases_and_ctrl_b_toggles_the_backups() -> None:
    work, shots, results = with_stores(), Shots(), list[ErasureResult | None]()
    unpurged: list[bool] = []
    refused: list[Step] = ["enter", *typed("X"), "enter", shots, lambda _: unpurged.append(not work.purged)]
    drive(
        app_on(work),
        open_dialog(2, 3, results=results),
        *refused,
        "backspace",
        "ctrl+b",
        "ctrl+b",
        *PURGE,
        "enter",
    )
    assert "Nothing was purged. Type purge" in shots[0]
    assert unpurged == [True]
    assert work.purged == [2, 3]
    (result,) = results
    assert result is not None
    assert result.count == 2
    assert len(result.backups) == 2
    assert len(work.stored_backups) == 2


def test_escape_erases_nothing_and_ctrl_b_includes_the_backups() -> None:
    work, results = with_stores(), list[ErasureResult | None]()
    after_escape: list[tuple[bool, list[ErasureResult | None], int]] = []
    drive(
        app_on(work), open_dialog(2, results=results), *PURGE, "escape",
        lambda _: after_escape.append((not work.purged, list(results), len(work.stored_backups))),
        open_dialog(2, results=results), "ctrl+b", *PURGE, "enter",
    )  # fmt: skip
    assert after_escape == [(True, [None], 2)]
    assert work.purged == [2]
    assert work.stored_backups == []
    result = results[1]
    assert result is not None
    assert result.backups == ()
    assert "deleted 2 backups" in result.summary


def test_a_failed_purge_keeps_the_dialog_open_with_the_reason() -> None:
    work, shots, results = with_stores(), Shots(), list[ErasureResult | None]()

    def refuse(_: MemtuiApp) -> None:
        work.errors = {"purge": Refused("busy", "memory.jsonl is busy.", "Nothing was purged.")}

    def break_backups(_: MemtuiApp) -> None:
        def fail(ids: Sequence[int]) -> NoReturn:
            raise ZeroDivisionError

        work.errors = {}
        work.backups_holding = fail  # type: ignore[method-assign]

    drive(
        app_on(work), open_dialog(4), "ctrl+b", shots, "escape", refuse,
        open_dialog(2, results=results), *PURGE, "enter", shots,
        lambda _: shots.append(str(results)), "escape",
        break_backups, open_dialog(2), *PURGE, "enter", shots,
    )  # fmt: skip
    without, busy, result, unreadable = shots
    assert "No backup contains the text." in without
    assert "No backup contains these memories." in without
    assert "ctrl+b" not in without
    assert "memory.jsonl is busy. Nothing was purged." in busy
    assert result == "[]", "the dialog is still open"
    assert "Could not load the memories." in unreadable
    assert not work.purged


def test_long_lists_of_memories_and_backups_are_cut_with_a_count() -> None:
    work, shots = (
        FakeWorkspace([memory(n, f"memory {n}", store="s") for n in range(1, 31)], clock=clock),
        Shots(),
    )
    work.stored_backups = [Backup(f"b{n}", "s", NOW - n * 86400, "/b", 1) for n in range(14)]
    drive(app_on(work), open_dialog(*range(1, 31)), shots, (60, 16), *PURGE, "enter", size=(100, 50))
    assert "Purge 30 memories" in shots[0]
    assert "and 20 more" in shots[0]
    assert "and 4 more" in shots[0]
    assert len(work.purged) == 30


def test_hostile_labels_are_drawn_as_plain_text() -> None:
    evil = "\x1b[2J[/foo]\u202e [@click=app.quit]x[/]"
    work, shots = FakeWorkspace([memory(1, evil, store=evil)], clock=clock), Shots()
    work.stored_backups = [Backup(evil, evil, NOW, evil, 1)]
    drive(app_on(work), open_dialog(1), shots, "ctrl+b", shots)
    for shown in shots:
        assert not unsafe_characters(shown), unsafe_characters(shown)
        assert "[/foo]" in shown


def test_what_a_stopped_purge_did_not_reach_stays_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    work = FakeWorkspace([memory(n, f"number {n}") for n in range(1, 61)], clock=clock)
    erase, left = work.purge, list[set[int]]()

    def stop_early(ids: Sequence[int], control: JobControl | None = None) -> ErasureResult:
        return replace(erase(ids[:10]), unreached=len(ids) - 10)

    monkeypatch.setattr(work, "purge", stop_early)

    def note(app: MemtuiApp) -> None:
        assert isinstance(app.screen, BrowseScreen)
        left.append(set(app.screen.memories.marks))

    drive(app_on(work), "*", "X", *PURGE, "enter", note)
    assert left == [set(range(11, 61))]
