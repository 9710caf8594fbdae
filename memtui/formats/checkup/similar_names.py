"""Names that differ little: in case, in spaces, hyphens and underscores, or in a prefix or suffix."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping

_LONGEST = 200  # letters of a name whose parts are compared
_SHORTEST = 4  # letters of a name that may be a prefix or a suffix of another
_SEPARATORS = re.compile(r"[\s_\-–—./:]+")
_EXTENSIONS = (".md", ".json")


def fold(name: str) -> str:
    """Return a name without what people and programs write in several ways."""
    folded = unicodedata.normalize("NFKC", name).casefold().strip()
    for extension in _EXTENSIONS:
        folded = folded.removesuffix(extension)
    return _SEPARATORS.sub("", folded)


class Names:
    """The existing names, each of a target; finds the one target that a wrong name is likely to mean."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._targets: dict[str, set[str]] = defaultdict(set)
        for name, target in names:
            if key := fold(name):
                self._targets[key].add(target)
        self._by_start = _Sorted(self._targets)
        self._by_end = _Sorted({key[::-1]: targets for key, targets in self._targets.items()})

    def best_match(self, name: str) -> str:
        """Return the target that `name` is likely to mean; "" if there is none, or more than one."""
        key = fold(name)
        if found := self._targets.get(key):
            return next(iter(found)) if len(found) == 1 else ""
        if not _SHORTEST <= len(key) <= _LONGEST:
            return ""
        found = self._by_start.longer(key) | self._by_end.longer(key[::-1])
        # An existing name with something before or behind it.
        for size in range(_SHORTEST, len(key)):
            found |= self._targets.get(key[:size], set()) | self._targets.get(key[-size:], set())
        return next(iter(found)) if len(found) == 1 else ""


class _Sorted:
    """Names in order, so that those with the same start are adjacent: a store may have very many."""

    def __init__(self, targets: Mapping[str, set[str]]) -> None:
        self._targets = targets
        self._order = sorted(targets)

    def longer(self, key: str) -> set[str]:
        """Return the targets of the names that start with `key`; if there are many, only some of them."""
        out: set[str] = set()
        at = bisect_left(self._order, key)
        while at < len(self._order) and self._order[at].startswith(key) and len(out) < 2:
            out |= self._targets[self._order[at]]
            at += 1
        return out
