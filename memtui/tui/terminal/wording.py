"""Every sentence about the external editor."""

from __future__ import annotations

from memtui.errors import Refused

NOTHING_CHANGED = "Nothing was changed."
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
