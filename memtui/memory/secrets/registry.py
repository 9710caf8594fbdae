"""All detectors of secrets, and those that a text needs to be asked about."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from memtui.memory.secrets import detectors
from memtui.memory.secrets.detector import ANY, INSIDE, LONG, LONG_WORD, Detector

# Signs that prose seldom has: where one is missing, so are all markers that contain it.
_SIGNS = "_=/-.:"
# What says less than the other kinds: where two find the same, the other names it.
GENERAL = ("jwt", "url-password", "connection-password", "authorization", "url-token", "password", "key")


_asked_for = {"personal data": False}


def with_personal_data() -> bool:
    """Return whether personal data is among what is found."""
    return _asked_for["personal data"]


def include_personal_data(on: bool) -> None:
    """Have personal data found, or not; `personal_data.include` calls this."""
    _asked_for["personal data"] = on
    all_detectors.cache_clear()
    _indices.cache_clear()


@cache
def all_detectors() -> tuple[Detector, ...]:
    """Return the detectors of each module in `detectors/`, general kinds last; imported by the first call."""
    found = [
        detector
        for each in pkgutil.iter_modules(detectors.__path__)
        for detector in importlib.import_module(f"{detectors.__name__}.{each.name}").DETECTORS
        if with_personal_data() or not detector.personal
    ]
    return tuple(sorted(found, key=lambda each: (_rank(each.kind), each.kind)))


def detectors_for(text: str) -> Iterator[Detector]:
    """Yield the detectors that may find something in this text, in the order of `all_detectors`."""
    asked: set[int] = set()
    words = "\n".join(LONG_WORD.findall(text))
    for index, searched in zip(_indices(), (text, text if words else "", words), strict=True):
        low = searched.lower()
        if low:
            asked.update(index.always)
        for sign, pairs in index.by_sign:
            if sign in low:
                asked.update(place for marker, places in pairs if marker in low for place in places)
    found = all_detectors()
    return (found[place] for place in sorted(asked))


@dataclass(frozen=True, slots=True)
class _Index:
    """The places of detectors: of those without markers, and by sign, of those that each marker leads to."""

    always: tuple[int, ...]
    by_sign: tuple[tuple[str, tuple[tuple[str, tuple[int, ...]], ...]], ...]


@cache
def _indices() -> tuple[_Index, ...]:
    """Return an index of the detectors of any text, of texts with long words, and of long words."""
    return tuple(map(_index, (ANY, LONG, INSIDE)))


def _index(near: str) -> _Index:
    always: list[int] = []
    by_marker: dict[str, list[int]] = {}
    for place, each in enumerate(all_detectors()):
        if each.near == near:
            if not each.markers:
                always.append(place)
            for marker in each.markers:
                by_marker.setdefault(marker, []).append(place)
    by_sign: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for marker, places in by_marker.items():
        by_sign.setdefault(sign_of(marker), []).append((marker, tuple(places)))
    return _Index(tuple(always), tuple((sign, tuple(pairs)) for sign, pairs in by_sign.items()))


def sign_of(marker: str) -> str:
    """Return the rarest sign of a marker, "" if it has only letters and digits."""
    return next((sign for sign in _SIGNS if sign in marker), "")


def _rank(kind: str) -> int:
    return GENERAL.index(kind) + 1 if kind in GENERAL else 0
