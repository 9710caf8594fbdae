"""A change that was asked for is carried out although the key that quits follows at once."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.memory.stores import Backup
from memtui.settings import Loaded, Settings, load
from memtui.tui.app import MemtuiApp
from tests.support.app_driver import Step, drive, typed
from tests.support.fake_workspace import NOW, FakeWorkspace, clock, sample, with_pairs, with_stores
from tests.support.waiting.stores import wait_for_stores

STORES: list[Step] = ["8", wait_for_stores, "g", "j"]


def with_backup() -> FakeWorkspace:
    work = with_stores()
    work.stored_backups = [Backup("b1", store.name, NOW, "/b1", 1) for store in work.stores()]
    return work


def changes(work: FakeWorkspace) -> int:
    return len(work.journal())


# By name: the workspace, the steps that lead to the action, the action of the screen or dialog, and what it
# changes.
CASES: dict[str, tuple[Callable[[], FakeWorkspace], list[Step], str, Callable[[FakeWorkspace], object]]] = {
    "pin": (sample, ["j"], "pin", changes),
    "undo": (sample, ["j", "d"], "undo", changes),
    "save a memory": (sample, ["a", "enter", *typed("Milk")], "save", lambda work: len(work.memories)),
    "give a verdict": (with_pairs, ["3"], "keep_a", changes),
    "detach a store": (with_stores, STORES, "detach", lambda work: len(work.stores())),
    "restore a backup": (
        with_backup,
        [*STORES, "b", "enter"],
        "restore",
        lambda work: len(work.stored_backups),
    ),
    "undo on the journal": (sample, ["j", "d", "7"], "undo_this", changes),
}


def quit_after(action: str) -> Callable[[MemtuiApp], None]:
    """Return a step that calls an action of the screen and quits before anything else can happen."""

    def act_and_quit(app: MemtuiApp) -> None:
        getattr(app.screen, f"action_{action}")()
        app.exit()

    return act_and_quit


@pytest.mark.parametrize("case", CASES)
def test_a_change_is_carried_out_before_the_app_ends(case: str) -> None:
    make, steps, action, state = CASES[case]
    work = make()
    before: list[object] = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        note: Step = lambda app: before.append(state(work))  # noqa: E731
        drive(MemtuiApp(lambda: work, clock=clock), *steps, note, quit_after(action))
    assert state(work) != before[0]
    assert not [each for each in warned if "never awaited" in str(each.message)]


def test_a_theme_is_saved_before_the_app_ends(tmp_path: Path) -> None:
    path, work = tmp_path / "settings.toml", sample()
    app = MemtuiApp(lambda: work, clock=clock, loaded=Loaded(Settings(), path), saves_theme=True)

    def act_and_quit(app: MemtuiApp) -> None:
        app.action_next_theme()
        app.exit()

    drive(app, act_and_quit)
    assert load(path).settings.theme == "light"
