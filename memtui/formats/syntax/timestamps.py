"""Times as other programs' stores write them, read tolerantly (FORMATS, 'Common rules')."""

from __future__ import annotations

from datetime import UTC, datetime

from memtui.values import FieldValue

_MILLISECONDS = 1e11  # a larger number of seconds would be after the year 5138


def seconds_of(value: FieldValue) -> float | None:
    """Return Unix seconds from seconds, milliseconds (int, float or text) or ISO text; None if unreadable.

    Text without a zone is UTC, as SQLite's `datetime('now')` writes it.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        try:
            return _from_number(float(value))
        except OverflowError:
            return None
    if not isinstance(value, str):
        return None
    text = value.strip()
    try:
        return _from_number(float(text))
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp()


def format_like(seconds: float, like: FieldValue) -> FieldValue:
    """Return a time in the form of `like`: int or float, seconds or milliseconds, ISO text with the same
    precision and zone suffix. If `like` is nothing of these, whole seconds."""
    if isinstance(like, str) and like.strip():
        return _as_text(seconds, like.strip())
    if isinstance(like, float):
        return seconds * 1000 if abs(like) >= _MILLISECONDS else seconds
    if isinstance(like, int) and abs(like) >= _MILLISECONDS:
        return int(seconds * 1000)
    return int(seconds)


def _as_text(seconds: float, like: str) -> str:
    try:
        number = float(like)
    except ValueError:
        pass
    else:
        return str(format_like(seconds, int(like) if like.isdecimal() else number))
    moment = datetime.fromtimestamp(seconds, UTC)
    between = "T" if "T" in like else " "
    if len(like) <= 10:
        return moment.strftime("%Y-%m-%d")
    spec = "seconds"
    if "." in like:
        digits = len(like.split(".", 1)[1].rstrip("Zz").split("+", 1)[0].split("-", 1)[0])
        spec = "milliseconds" if digits <= 3 else "microseconds"
    text = moment.replace(tzinfo=None).isoformat(sep=between, timespec=spec)
    if like[-1:] in "Zz":
        return text + "Z"
    return text + "+00:00" if "+" in like or (like[-6:-5] == "-" and like[-3:-2] == ":") else text


def _from_number(value: float) -> float | None:
    if value != value or abs(value) > 1e16:
        return None
    while abs(value) >= _MILLISECONDS:
        value /= 1000
    return value
