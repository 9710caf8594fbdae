"""Unexpected errors as refusals (S-90): the last stop before a traceback."""

from __future__ import annotations

from memtui.cli.runtime import wording
from memtui.errors import Refused, driver_error

# SQLite's errors, by the names of the driver's classes.
_DATABASE = {
    "BusyError": wording.BUSY,
    "LockedError": wording.BUSY,
    "FullError": wording.FULL,
    "CorruptError": wording.DAMAGED,
}


def refusal_of(error: Exception) -> Refused:
    """Return `error` as a refusal."""
    if isinstance(error, Refused):
        return error
    if known := _DATABASE.get(driver_error(error)):
        return Refused(*known)
    if isinstance(error, OSError):
        return wording.io_error(error.filename, error.strerror or error)
    return wording.internal_error(type(error).__name__, error)
