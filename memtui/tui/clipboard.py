"""Copying: the terminal's clipboard by OSC 52, the desktop's by pyperclip where there is one."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import Callable


def osc52(text: str, *, tmux: bool) -> str:
    """The escape sequence that hands text to the terminal; tmux passes it on only when wrapped."""
    packed = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{packed}\x07"
    return f"\x1bPtmux;\x1b{sequence}\x1b\\" if tmux else sequence


def copy(text: str, write: Callable[[str], None] | None) -> None:
    """Copy by every way that works here; nothing is ever read back."""
    if write is not None:
        write(osc52(text, tmux=bool(os.environ.get("TMUX"))))
    if not (os.environ.get("SSH_TTY") or os.environ.get("SSH_CONNECTION")):
        threading.Thread(target=_desktop, args=(text,), daemon=True).start()


def _desktop(text: str) -> None:
    try:
        import pyperclip

        pyperclip.copy(text)
    except Exception:  # no desktop, no tool: the terminal has it
        return
