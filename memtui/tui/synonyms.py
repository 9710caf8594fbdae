"""Other words for what the program calls something, for the searches of the palette and the help."""

from __future__ import annotations

import re

_ERASE = ("dismiss as wrong", "dismissing", "purge", "delete", "remove relation", "saved search")
_UNDO = ("undo",)
_CONTRADICTION = ("contradiction", "review")
_REPLACE = ("find and replace",)
_DUPLICATE = ("duplicate", "merge", "review")

SYNONYMS: dict[str, tuple[str, ...]] = {
    "delete": _ERASE,
    "remove": _ERASE,
    "erase": _ERASE,
    "trash": _ERASE,
    "colour": ("theme",),
    "color": ("theme",),
    "dark": ("theme",),
    "light": ("theme",),
    "todo": ("inbox",),
    "tasks": ("inbox",),
    "conflict": _CONTRADICTION,
    "clash": _CONTRADICTION,
    "merge": _DUPLICATE,
    "divide": ("split",),
    "dedupe": _DUPLICATE,
    "deduplicate": _DUPLICATE,
    "rename": ("rename", *_REPLACE),
    "everywhere": _REPLACE,
    "substitute": _REPLACE,
    "correct": ("correct", *_REPLACE),
    "sed": _REPLACE,
    "prompt": ("agent sees", "export"),
    "context": ("agent sees", "export"),
    "budget": ("export",),
    "tokens": ("export",),
    "download": ("export",),
    "policy": ("rule",),
    "govern": ("rule", "policy"),
    "permission": ("policy",),
    "allow": ("policy",),
    "automatic": ("rule",),
    "always": ("rule",),
    "template": ("recipe",),
    "enable": ("switch on",),
    "disable": ("switch on",),
    "session": ("agent sees",),
    "history": ("journal",),
    "log": ("journal",),
    "revert": _UNDO,
    "rollback": _UNDO,
}
"""By a word that somebody may type: the words or their beginnings that it finds too."""

MIN_LETTERS = 3  # of a synonym, before it finds anything


def terms(word: str) -> tuple[str, ...]:
    """Return what a word, which may be still being typed, finds besides itself."""
    if len(word) < MIN_LETTERS:
        return ()
    found = (part for synonym, parts in SYNONYMS.items() if synonym.startswith(word) for part in parts)
    return tuple(dict.fromkeys(found))


def find(query: str, text: str) -> frozenset[int] | None:
    """Return the indexes of the characters in `text` that the words of `query`, or synonyms of them, match.

    None if one of the words matches nothing.
    """
    low = text.lower()
    places: set[int] = set()
    for word in query.lower().split():
        patterns = (re.escape(word), *(rf"\b{re.escape(term)}" for term in terms(word)))
        match = next(filter(None, (re.search(pattern, low) for pattern in patterns)), None)
        if match is None:
            return None
        places.update(range(*match.span()))
    return frozenset(places)
