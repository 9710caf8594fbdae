"""Rules that settle contradictions and set half-lives, on the screens (S-26, S-43, S-60)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.decay.screen import DecayScreen
from memtui.tui.rules import rule_dialog
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, drive, line_with, typed
from tests.support.fake_workspace import DAY, NOW, clock
from tests.support.waiting.threads import wait_until

HOSTS = ("The staging host is db-1.", "The staging host is db-9.")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with two memories that contradict each other, the second a day newer, and another one."""
    monkeypatch.setattr(rule_dialog, "PAUSE", 0.001)
    path, times = tmp_path / "w.db", iter(range(10_000))
    with closing(Workspace.open(path, clock=lambda: NOW - 9 * DAY + next(times))) as work:
        for number, text in enumerate((*HOSTS, "Lunch is at noon"), 1):
            work.add({"content": text, "confidence": number / 4, "category": "fact"})
        work.scan()
        assert len(work.pairs()) == 1
    return path


def app_at(path: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)


def test_a_rule_that_settles_is_completed_tried_and_switched_on(path: Path) -> None:
    shots = Shots()
    drive(
        app_at(path),
        *("6", "a", *typed("Newest"), "tab", *typed("host"), "tab", *typed("settle="), shots),
        *(*typed("st"), "tab", shots, "home", *["delete"] * 20, *typed("settle=newer"), "tab", shots),
        *("enter", "!", shots, "j"),
        size=(120, 36),
    )
    offered, stores, tried, on = shots
    assert all(each in offered for each in ("newer", "confidence", "store:"))
    assert "store:native" in stores
    assert "It would settle 1 contradiction." in tried
    assert "stays, replaces “The staging host is db-…" in tried
    assert "is replaced by “The staging host is db-9" in tried
    assert "Switched the rule “Newest” on: today it changed 1 memory" in on
    assert "settle: newer wins" in line_with(on, "● on")
    with closing(Workspace.open(path, clock=clock)) as work:
        assert [each.status for each in work.memories([1, 2])] == ["superseded", "confirmed"]
        assert work.journal()[0].actor == "rule:Newest"


def test_the_decay_screen_names_the_rule_that_sets_a_half_life(path: Path) -> None:
    with closing(Workspace.open(path, clock=clock)) as work:
        work.add_rule("Lunch [b]lasts[/b]", "lunch", ["half-life=20d"])
        work.turn_rule("Lunch [b]lasts[/b]", on=True)

    def listed(app: MemtuiApp) -> None:
        screen = app.screen
        assert isinstance(screen, DecayScreen)
        app.run_worker(
            wait_until(lambda: screen.chart._curves is not None and screen.view.detail is not None)
        )

    shots = Shots()
    drive(
        app_at(path),
        "5",
        listed,
        *["right_square_bracket"] * 5,
        "home",
        listed,
        shots,
        "plus",
        shots,
        size=(120, 36),
    )
    shown, refused = shots
    assert "half-life: 20 d by the rule “Lunch [b]lasts[/b]”" in shown
    assert "The rule “Lunch [b]lasts[/b]” sets the half-life of this memory." in refused
