"""Moments on the command line: ISO dates and times, and ages ahead such as 30d."""

from __future__ import annotations

from datetime import datetime

from memtui.cli.parser.wording import no_time
from memtui.memory.query import ranges


def moment_of(option: str, text: str, now: float) -> float:
    """Return a moment as Unix seconds; a day is its first moment, and without a zone it is UTC.

    Raise UsageError, naming the option, if `text` is no moment.
    """
    moment = ranges.moment_ahead(text, now)
    if moment is None:
        raise no_time(option, text)
    return moment


def local_time(at: float) -> str:
    """Return Unix seconds as a moment of this machine's time zone, "?" for what is none."""
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return "?"
