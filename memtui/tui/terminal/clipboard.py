"""Copy to the terminal's clipboard by OSC 52, and to the desktop's by pyperclip (S-73)."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable

from memtui.tui.terminal import wording

SAFE_BYTES = 74_994
"""Bytes of text that every terminal with OSC 52 accepts: some end the sequence at 100 000 characters."""
SCREEN_CHUNK = 76
"""Characters that one device control string of GNU screen holds safely."""


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
    size = len(text.encode("utf-8", "replace"))
    multiplexer = "tmux" if tmux else "screen" if screen else ""
    return wording.terminal_clipboard(multiplexer, size if size > SAFE_BYTES else 0)


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
