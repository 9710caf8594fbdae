"""Screens are tested as a person uses them: keys in, screen text out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.tui.browse import search_bar
from memtui.tui.common import screen
from memtui.tui.review import verdict_keys
from memtui.tui.workers import contradiction_scan, embedding
from tests.support.fake_workspace.base import strayed
from tests.support.fast_textual import speed_up

GOLDENS = Path(__file__).parent / "goldens"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write the screens as they are now")


async def _no_guess(*_: float) -> None:
    await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """One time zone, no waiting for a person's next key, no clipboard of the machine."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("SSH_TTY", "/dev/null")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.delenv("STY", raising=False)
    monkeypatch.delenv("MEMTUI_SETTINGS", raising=False)
    time.tzset()
    speed_up(monkeypatch)
    # Textual's pilot guesses from CPU time when the app is idle; settle() knows.
    monkeypatch.setattr("textual.pilot.wait_for_idle", _no_guess)
    monkeypatch.setattr("textual.app.wait_for_idle", _no_guess, raising=False)
    monkeypatch.setattr(search_bar, "PAUSE", 0.001)
    monkeypatch.setattr(screen, "PAUSE", 0.001)
    monkeypatch.setattr(embedding, "START_DELAY", 0.01)
    monkeypatch.setattr(embedding, "INTERVAL", 0.02)
    monkeypatch.setattr(embedding, "TYPING_PAUSE", 0.0)
    # Nothing is compared and counted beside a screen that is looked at for something else.
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 1e6)
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def answered() -> Iterator[None]:
    """Screens ask a fake workspace only for what it answers: they would show its failure as a message."""
    yield
    asked, strayed[:] = [*strayed], []
    assert not asked, f"the fake workspace has no answer to {asked}"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a screen with its text file; --update-goldens rewrites the file."""

    def check(name: str, text: str) -> None:
        file = GOLDENS / f"{name}.txt"
        if request.config.getoption("--update-goldens", default=False):
            GOLDENS.mkdir(exist_ok=True)
            file.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == file.read_text(encoding="utf-8")

    return check
