"""Copy to the terminal's clipboard by OSC 52, and to the desktop's by pyperclip (S-73)."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from memtui.tui.terminal import wording

SAFE_BYTES = 74_994
"""Bytes of text that every terminal with OSC 52 accepts: some end the sequence at 100 000 characters."""
SCREEN_CHUNK = 76
"""Characters that one device control string of GNU screen holds safely."""
DESKTOP_TIMEOUT = 2.0  # seconds that the desktop's clipboard may take


def osc52(text: str, *, tmux: bool = False, screen: bool = False) -> str:
    """Return the escape sequence that copies `text`, wrapped for tmux or GNU screen to pass it on."""
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{packed}\x07"
    if tmux:
        return f"\x1bPtmux;\x1b{sequence}\x1b\\"
    if screen:
        chunks = [packed[at : at + SCREEN_CHUNK] for at in range(0, len(packed), SCREEN_CHUNK)]
        return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(chunks) + "\x07\x1b\\"
    return sequence


def to_terminal(text: str, write: Callable[[str], None]) -> str:
    """Send `text` to the terminal's clipboard and return that clipboard's name for a sentence.

    Nothing is ever read back."""
    tmux = bool(os.environ.get("TMUX"))
    screen = bool(os.environ.get("STY")) and not tmux
    write(osc52(text, tmux=tmux, screen=screen))
    if tmux:
        # A tmux that passes nothing on may still keep a clipboard of its own, also within another tmux.
        write(osc52(text))
    size = size_of(text)
    multiplexer = "tmux" if tmux else "screen" if screen else ""
    return wording.terminal_clipboard(multiplexer, size if size > SAFE_BYTES else 0)


def size_of(text: str) -> int:
    """Return the bytes of a text on a clipboard."""
    return len(text.encode("utf-8", "replace"))


def is_remote() -> bool:
    """Return whether this is an SSH session, in which the machine's desktop is not the user's."""
    return bool(os.environ.get("SSH_TTY") or os.environ.get("SSH_CONNECTION"))


def to_desktop(text: str) -> bool:
    """Copy to this machine's clipboard; False where there is none, or no tool for it."""
    try:
        import pyperclip

        pyperclip.copy(text)
    except Exception:  # whatever is missing: the terminal has the text
        return False
    return True


def copy(text: str, terminal: str = "/dev/tty") -> list[str]:
    """Copy to every clipboard within reach of a command, and return their names for a sentence.

    `terminal` is the controlling terminal. Raise Refused if no clipboard got the text: one too long for a
    terminal is not sent to it, since it could be cut.
    """
    names: list[str] = []
    fits = size_of(text) <= SAFE_BYTES
    has_terminal = True
    try:
        tty = os.open(terminal, os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        has_terminal = False
    else:
        with os.fdopen(tty, "w", encoding="ascii") as file:
            if fits:
                names.append(to_terminal(text, lambda sequence: _write(file.fileno(), sequence)))
    if not is_remote() and _to_desktop_in_time(text):
        names.append(wording.DESKTOP_CLIPBOARD)
    if not names:
        raise wording.no_clipboard() if not has_terminal else wording.too_long_for_terminal(size_of(text))
    return names


def _write(tty: int, sequence: str) -> None:
    data = sequence.encode("ascii")
    with suppress(OSError):  # the terminal is gone
        while data:
            data = data[os.write(tty, data) :]


def _to_desktop_in_time(text: str) -> bool:
    done: list[bool] = []
    thread = threading.Thread(target=lambda: done.append(to_desktop(text)), daemon=True)
    thread.start()
    thread.join(DESKTOP_TIMEOUT)
    return bool(done and done[0])
