"""What an agent's write is to the memories of a minions store (S-21, S-102)."""

from __future__ import annotations

import re

from memtui.formats.contract.incoming import Incoming

_WORD = re.compile(r"[^\W_]+")


class MinionsIncoming(Incoming):
    """Another value for an agent's equal or similar key is kept beside the first one, with a record of the
    contradiction. A lesson like one that is there is that lesson again."""

    owned_kinds = ("item", "summary")
    similar_keys = True
    records_contradictions = True
    kinds_that_repeat = ("lesson",)
    keeps_vectors = True

    def is_same_key(self, key: str, other: str) -> bool:
        """Return whether the keys are equal, or have the same words, however these are written and in
        whatever order.

        >>> MinionsIncoming().is_same_key("client:acme:prefers_short_proposals", "Client/Acme prefers short proposal")
        True
        >>> MinionsIncoming().is_same_key("client:acme", "client:apex")
        False
        """  # noqa: E501
        words = _words(key)
        return key == other or (bool(words) and words == _words(other))


def _words(key: str) -> list[str]:
    """Return the words of a key in order of the alphabet, without the s of a plural."""
    found = _WORD.findall(key.casefold())
    return sorted(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found)
