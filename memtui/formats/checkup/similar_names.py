"""Names that differ in little: in case, in blanks, hyphens and underscores, in what comes before or after."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
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
        self._starts = _Sorted(self._folded)
        self._ends = _Sorted({key[::-1]: targets for key, targets in self._folded.items()})

    def meant(self, said: str) -> str:
        """The target that `said` seems to mean; empty where there is none, or several."""
        key = folded(said)
        if found := self._folded.get(key):
            return next(iter(found)) if len(found) == 1 else ""
        if not _LEAST <= len(key) <= _MOST:
            return ""
        found = self._starts.longer(key) | self._ends.longer(key[::-1])
        # A name with something before or behind it that is too much.
        for size in range(_LEAST, len(key)):
            found |= self._folded.get(key[:size], set()) | self._folded.get(key[-size:], set())
        return next(iter(found)) if len(found) == 1 else ""


class _Sorted:
    """Names in order, so that those that begin alike stand together: a store may hold a great many."""

    def __init__(self, names: Mapping[str, set[str]]) -> None:
        self._names = names
        self._order = sorted(names)

    def longer(self, key: str) -> set[str]:
        """The targets of the names that begin with `key` and go on; of many, more than one of them."""
        out: set[str] = set()
        at = bisect_left(self._order, key)
        while at < len(self._order) and self._order[at].startswith(key) and len(out) < 2:
            out |= self._names[self._order[at]]
            at += 1
        return out
