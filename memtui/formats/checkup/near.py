"""Names that differ in little: in case, in blanks, hyphens and underscores, in what comes before or after."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping

_MOST = 200  # letters of a name of which parts are compared
_LEAST = 4  # letters of a name that may be the beginning or the end of another
_BETWEEN = re.compile(r"[\s_\-–—./:]+")
_ENDINGS = (".md", ".json")


def folded(name: str) -> str:
    """A name without what people and programs write in several ways."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    for ending in _ENDINGS:
        plain = plain.removesuffix(ending)
    return _BETWEEN.sub("", plain)


class Names:
    """The names that there are, each for a target; finds the one target that a wrong name seems to mean."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._folded: dict[str, set[str]] = defaultdict(set)
        for name, target in names:
            if key := folded(name):
                self._folded[key].add(target)
        self._starts = _by_start(self._folded)
        self._ends = _by_start({key[::-1]: targets for key, targets in self._folded.items()})

    def meant(self, said: str) -> str:
        """The target that `said` seems to mean; empty where there is none, or several."""
        key = folded(said)
        if found := self._folded.get(key):
            return next(iter(found)) if len(found) == 1 else ""
        if not _LEAST <= len(key) <= _MOST:
            return ""
        found = _longer(key, self._starts) | _longer(key[::-1], self._ends)
        # A name with something before or behind it that is too much.
        for size in range(_LEAST, len(key)):
            found |= self._folded.get(key[:size], set()) | self._folded.get(key[-size:], set())
        return next(iter(found)) if len(found) == 1 else ""


def _by_start(names: Mapping[str, set[str]]) -> dict[str, list[tuple[str, set[str]]]]:
    out: dict[str, list[tuple[str, set[str]]]] = defaultdict(list)
    for key, targets in names.items():
        out[key[:_LEAST]].append((key, targets))
    return out


def _longer(key: str, names: Mapping[str, list[tuple[str, set[str]]]]) -> set[str]:
    """The targets of the names that begin with `key` and go on."""
    out: set[str] = set()
    for name, targets in names.get(key[:_LEAST], ()):
        if name.startswith(key):
            out |= targets
    return out
