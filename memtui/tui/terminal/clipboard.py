"""Copying: the terminal's clipboard by OSC 52, the desktop's by pyperclip where there is one (S-73)."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable

MOST = 74_994
"""Bytes of text that every terminal takes which takes any: some end the sequence at 100 000."""
PIECE = 76
"""What one passed-on string of GNU screen safely holds."""


def osc52(text: str, *, tmux: bool = False, screen: bool = False) -> str:
    """The escape sequence that hands text to the terminal; tmux and screen pass it on only when wrapped."""
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{packed}\x07"
    if tmux:
        return f"\x1bPtmux;\x1b{sequence}\x1b\\"
    if screen:
        pieces = [packed[at : at + PIECE] for at in range(0, len(packed), PIECE)]
        return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(pieces) + "\x07\x1b\\"
    return sequence


def to_terminal(text: str, write: Callable[[str], None]) -> str:
    """Hand it to the terminal; which way it went, in words. Nothing is ever read back."""
    tmux = bool(os.environ.get("TMUX"))
    screen = bool(os.environ.get("STY")) and not tmux
    write(osc52(text, tmux=tmux, screen=screen))
    if tmux:
        # Where it lets no program through it may still keep a clipboard itself, also within another tmux.
        write(osc52(text))
    through = " through tmux" if tmux else " through screen" if screen else ""
    size = len(text.encode("utf-8", "replace"))
    long = f" (with {size // 1000} KB it may be cut or dropped there)" if size > MOST else ""
    return f"the terminal's clipboard{through}{long}"


def is_remote() -> bool:
    """Whether the desktop of this machine is not the person's."""
    return bool(os.environ.get("SSH_TTY") or os.environ.get("SSH_CONNECTION"))


def to_desktop(text: str) -> bool:
    """Hand it to this machine's clipboard; False where there is none, or no tool for it."""
    try:
        import pyperclip

        pyperclip.copy(text)
    except Exception:  # whatever it lacks: the terminal has it
        return False
    return True
