"""What nobody foresaw, in words (S-90): the last stop before a traceback."""

from __future__ import annotations

from memtui.errors import Refused, driver_error

_SETTLED = "A change that was under way is settled when the workspace is opened next."
# What SQLite refuses, by the names of its classes.
_DATABASE = (
    (("BusyError", "LockedError"), "busy", "Another program holds the workspace.", "Try again in a moment."),
    (
        ("FullError",),
        "full",
        "The disk is full.",
        f"Make room, then try again. {_SETTLED}",
    ),
    (
        ("CorruptError",),
        "damaged",
        "The workspace's file is damaged.",
        "It was left as it is. memtui doctor --salvage NEW saves what can be read.",
    ),
)


def told(error: Exception) -> Refused:
    """`error` as a refusal."""
    if isinstance(error, Refused):
        return error
    for kinds, code, message, hint in _DATABASE:
        if driver_error(error) in kinds:
            return Refused(code, message, hint)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return Refused("io", f"{place}{error.strerror or error}.", _SETTLED)
    return Refused(
        "internal",
        f"Something failed that memtui did not foresee: {type(error).__name__}: {error}",
        f"{_SETTLED} With MEMTUI_DEBUG=1 it shows where.",
    )
