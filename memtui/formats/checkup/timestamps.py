"""Times of several kinds where most are of one: seconds, milliseconds, words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from memtui.formats.checkup.findings import found
from memtui.memory.stores import Finding

WORDS, SECONDS, MILLISECONDS = "dates as text", "seconds", "milliseconds"
_LATEST = 1e11  # a larger number of seconds would be after the year 5138


def kind(value: Any) -> str:
    """Of what kind a time is; empty where there is none, or none that can be read."""
    if isinstance(value, bool) or value in (None, "", 0):
        return ""
    try:
        return MILLISECONDS if abs(float(value)) >= _LATEST else SECONDS
    except (TypeError, ValueError, OverflowError):
        return WORDS if isinstance(value, str) and value[:1].isdigit() else ""


def mixed(times: Iterable[tuple[str, str, Any]]) -> Iterator[Finding]:
    """Of times as place, name and value: those of another kind than most in the store."""
    read = [(place, name, kind(value)) for place, name, value in times]
    kinds = Counter(each for _, _, each in read if each)
    most = kinds.most_common(1)[0][0] if kinds else ""
    for place, name, each in read:
        if each not in ("", most):
            yield found("mixed-times", place, name=name, kinds=f"{each} with {most}, which most here are")
