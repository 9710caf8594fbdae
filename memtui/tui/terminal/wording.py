"""Every sentence about the external editor and the clipboards."""

from __future__ import annotations

from memtui.errors import Refused

NOTHING_CHANGED = "Nothing was changed."
NOTHING_COPIED = "Nothing was copied."
SET_EDITOR = "Set editor in the settings file, or set $EDITOR."


def editor_setting_unreadable(setting: str, reason: str) -> Refused:
    return Refused("editor", f"Could not parse the editor setting “{setting}”: {reason}. {NOTHING_CHANGED}")


def not_utf8() -> Refused:
    return Refused("editor", f"The edited file is missing or not valid UTF-8. {NOTHING_CHANGED}")


def editor_unusable(reason: str | None) -> Refused:
    return Refused("editor", f"Could not use the editor: {reason}.")


def no_editor_here() -> Refused:
    return Refused("editor", "Can't open an editor here.")


def editor_not_found(name: str) -> Refused:
    return Refused("editor", f"Editor “{name}” not found. {NOTHING_CHANGED}", SET_EDITOR)


def editor_not_started(name: str, reason: str | None) -> Refused:
    return Refused("editor", f"Could not start “{name}”: {reason}. {NOTHING_CHANGED}")


def editor_failed(name: str, code: int) -> Refused:
    """Refuse for an exit code, which is negative where a signal ended the editor."""
    how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
    return Refused("editor", f"“{name}” {how}. {NOTHING_CHANGED}")


# Clipboards.

DESKTOP_CLIPBOARD = "the desktop's clipboard"


def terminal_clipboard(multiplexer: str, too_long: int) -> str:
    """The terminal's clipboard, for a sentence; `too_long` is the size in bytes of a text that may be cut."""
    through = f" through {multiplexer}" if multiplexer else ""
    warning = f" (at {too_long // 1000} KB, it may be truncated or dropped)" if too_long else ""
    return f"the terminal's clipboard{through}{warning}"


def no_clipboard() -> Refused:
    return Refused(
        "no-clipboard", "No clipboard here: there is no terminal.", "Write a file: -o FILE",
        unchanged=NOTHING_COPIED,
    )  # fmt: skip


def too_long_for_terminal(size: int) -> Refused:
    reason = f"Too long for a terminal's clipboard: {size // 1000:,} KB of at most 74."
    return Refused(
        "too-long", reason, "Write a file with -o FILE, or set a --budget.", unchanged=NOTHING_COPIED
    )
