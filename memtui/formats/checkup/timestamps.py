"""Times of another kind than most in a store: seconds, milliseconds, text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memtui.formats.checkup.findings import make_finding, unlike_most
from memtui.memory.stores import Finding
from memtui.values import FieldValue

AS_TEXT, SECONDS, MILLISECONDS = "dates as text", "seconds", "milliseconds"
_LATEST = 1e11  # a larger number of seconds would be after the year 5138


def kind(value: FieldValue) -> str:
    """Return the kind of a time; "" if there is none, or none that can be read."""
    if isinstance(value, bool) or value in (None, "", 0):
        return ""
    try:
        return MILLISECONDS if abs(float(value)) >= _LATEST else SECONDS
    except (TypeError, ValueError, OverflowError):
        return AS_TEXT if isinstance(value, str) and value[:1].isdigit() else ""


def mixed(times: Iterable[tuple[str, str, FieldValue]]) -> Iterator[Finding]:
    """Yield findings about times, given as (place, name, value), of another kind than most."""
    read = [(place, name, kind(value)) for place, name, value in times]
    kinds = Counter(each for _, _, each in read if each)
    most = kinds.most_common(1)[0][0] if kinds else ""
    for place, name, each in read:
        if each not in ("", most):
            yield make_finding("mixed-times", place, name=name, kinds=unlike_most(each, most))
