"""Facts that an agent does not settle alone: who somebody is, health, money (S-103)."""

from __future__ import annotations

import re

SURE = 0.90  # the confidence from which it may
_CATEGORIES = ("identity", "health")
_WORDS = frozenset(
    "name birth birthday birthdate born age gender nationality citizenship passport ssn identity address "
    "phone email health medical medication medicine allergy allergies allergic diagnosis disease illness "
    "blood doctor bank iban account card credit debt loan salary income tax insurance payment finance "
    "financial pension".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_HUMP = re.compile("(?<=[a-z])(?=[A-Z])")


def waits_for_a_person(key: str, subject: str, category: str, confidence: float | None) -> bool:
    """Return whether a fact is one of high risk that is not sure enough.

    >>> waits_for_a_person("home_bank", "", "other", 0.89)
    True
    >>> waits_for_a_person("homeBank", "", "other", None)
    True
    >>> waits_for_a_person("home_bank", "", "other", 0.9)
    False
    >>> waits_for_a_person("favourite_tea", "", "other", 0.1)
    False
    """
    words = _WORD.findall(_HUMP.sub(" ", f"{key} {subject}").casefold())
    is_risky = category.casefold() in _CATEGORIES or not _WORDS.isdisjoint(words)
    return is_risky and (confidence is None or confidence < SURE)
