"""Values as JSON can hold them."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from memtui.values import FieldValue, Json

MAX_DEPTH = 100


def iso(seconds: float | None) -> str | None:
    """Return Unix seconds as ISO 8601 UTC text with `Z`, or None for None and for years outside 1–9999."""
    if seconds is None:
        return None
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    text = moment.isoformat(timespec="milliseconds" if seconds % 1 else "seconds")
    return text.replace("+00:00", "Z")


_SCALARS = (str, int, bool, type(None))


def plain(value: FieldValue, depth: int = 0) -> Json:
    """Return `value` as JSON can hold it.

    Bytes become base64 text, infinities and NaN None, and what is nested deeper than 100 levels "…".
    """
    if depth > MAX_DEPTH:
        return "…"
    if type(value) in _SCALARS:  # most values are
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value
