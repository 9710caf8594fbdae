"""Fixtures for the tests of the screens, which press keys and check the text on the screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.tui.browse import search_bar
from memtui.tui.common import screen
from memtui.tui.review import verdict_keys
from memtui.tui.workers import contradiction_scan, embedding, inbox_reader
from tests.support.fake_workspace.base import unsupported_calls
from tests.support.fast_textual import speed_up

GOLDENS = Path(__file__).parent / "goldens"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write the golden files from the screens as they are now",
    )


async def _do_not_wait(*_: float) -> None:
    await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a fixed time zone, no pauses for the next key, and no access to the machine's clipboard."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("SSH_TTY", "/dev/null")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.delenv("STY", raising=False)
    monkeypatch.delenv("MEMTUI_SETTINGS", raising=False)
    time.tzset()
    speed_up(monkeypatch)
    # Textual's pilot guesses from CPU time whether the app is idle; wait_until_idle() knows.
    monkeypatch.setattr("textual.pilot.wait_for_idle", _do_not_wait)
    monkeypatch.setattr("textual.app.wait_for_idle", _do_not_wait, raising=False)
    monkeypatch.setattr(search_bar, "PAUSE", 0.001)
    monkeypatch.setattr(screen, "PAUSE", 0.001)
    monkeypatch.setattr(inbox_reader, "MAX_PAUSE", 0.0)
    monkeypatch.setattr(embedding, "START_DELAY", 0.01)
    monkeypatch.setattr(embedding, "INTERVAL", 0.02)
    monkeypatch.setattr(embedding, "TYPING_PAUSE", 0.0)
    # No scan in the background, except in the tests that ask for one.
    monkeypatch.setattr(contradiction_scan, "START_DELAY", 1e6)
    monkeypatch.setattr(verdict_keys, "MIN_VISIBLE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def no_unsupported_calls() -> Iterator[None]:
    """Fail if a screen called an unsupported verb of a fake workspace: it shows that only as a message."""
    yield
    called, unsupported_calls[:] = [*unsupported_calls], []
    assert not called, f"the fake workspace does not support {called}"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that compares a screen with its golden file; --update-goldens rewrites the file."""

    def check(name: str, text: str) -> None:
        file = GOLDENS / f"{name}.txt"
        if request.config.getoption("--update-goldens", default=False):
            GOLDENS.mkdir(exist_ok=True)
            file.write_text(text + "\n", encoding="utf-8")
        assert text + "\n" == file.read_text(encoding="utf-8")

    return check
