"""The clipboards that a command reaches: the controlling terminal's, and locally the desktop's (S-73)."""

from __future__ import annotations

import base64
import os
import pty
import tty
from collections.abc import Iterator

import pytest

from memtui.errors import Refused
from memtui.tui.terminal import clipboard


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin outside of tmux, GNU screen and SSH, with no desktop."""
    for name in ("TMUX", "STY", "SSH_TTY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(clipboard, "to_desktop", lambda text: False)


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A terminal: where its screen's side is read, and its path."""
    screen, program = pty.openpty()
    tty.setraw(program)
    yield screen, os.ttyname(program)
    os.close(screen)
    os.close(program)


def test_the_terminal_gets_it_also_within_tmux_and_screen(
    terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, path = terminal
    packed = base64.b64encode("Tee 🍵".encode())
    assert clipboard.copy("Tee 🍵", path) == ["the terminal's clipboard"]
    assert os.read(screen, 9_000) == b"\x1b]52;c;" + packed + b"\x07"
    monkeypatch.setenv("STY", "1.x")
    assert clipboard.copy("Tee 🍵", path) == ["the terminal's clipboard through screen"]
    assert os.read(screen, 9_000) == b"\x1bP\x1b]52;c;" + packed + b"\x07\x1b\\"
    monkeypatch.setenv("TMUX", "/tmp/x")
    assert clipboard.copy("Tee 🍵", path) == ["the terminal's clipboard through tmux"]
    assert os.read(screen, 9_000).startswith(b"\x1bPtmux;\x1b\x1b]52;c;")


def test_what_is_too_long_is_not_sent(terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    screen, path = terminal
    with pytest.raises(Refused, match="Too long") as refused:
        clipboard.copy("x" * 80_000, path)
    assert "-o FILE" in refused.value.hint
    os.set_blocking(screen, False)
    with pytest.raises(BlockingIOError):
        os.read(screen, 1)
    # A desktop takes any length, but over SSH it is not the user's.
    monkeypatch.setattr(clipboard, "to_desktop", lambda text: True)
    assert clipboard.copy("x" * 80_000, path) == ["the desktop's clipboard"]
    monkeypatch.setenv("SSH_TTY", "/dev/pts/1")
    with pytest.raises(Refused, match="Too long"):
        clipboard.copy("x" * 80_000, path)


def test_without_a_terminal_or_a_desktop_it_is_refused() -> None:
    with pytest.raises(Refused, match="no terminal"):
        clipboard.copy("x", "/nowhere/tty")
