"""Secrets by their shape (S-62): keys, tokens, private keys, passwords, connection strings, cards, IBANs.

Text that only mentions secrets is none: the bare word "password", a variable's name, a placeholder, a hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memtui.memory.secrets import false_positives
from memtui.memory.secrets.placeholders import is_placeholder
from memtui.memory.secrets.registry import detectors_for

__all__ = ["LETTERS", "MASK", "SIGNS", "Secret", "contains_secret", "covered", "find", "masked"]

MASK = "•"
SIGNS = "0123456789_=:<>|'\"`@"
LETTERS = 14
"""A text without any of these signs and without so many letters of A to Z in a row has no secret, so that a
database can rule it out."""
_SIGNED = re.compile(f"[{re.escape(SIGNS)}]|[A-Za-z]{{{LETTERS}}}")

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Secret:
    """The position of a secret in a text and its kind, never the secret itself.

    `kind` is a code, such as "aws-key"; `wording.name_of` has its name for people.
    """

    kind: str
    start: int
    end: int


def find(text: str) -> list[Secret]:
    """Return the secrets in `text`, in order and apart: what two detectors find overlapping is one secret
    of the more particular kind. A secret goes on to the end of its word, whatever length its kind should
    have. Never raises; its time is linear in the length of any text."""
    found = sorted(_candidates(text), key=lambda each: (each[1].start, each[1].end))
    apart: list[tuple[int, Secret]] = []
    for rank, each in found:
        if not apart or each.start >= apart[-1][1].end:
            apart.append((rank, Secret(each.kind, each.start, _word_end(text, each.end))))
            continue
        best, last = apart[-1]
        kind = each.kind if rank < best else last.kind
        end = last.end if each.end <= last.end else _word_end(text, each.end)
        apart[-1] = min(rank, best), Secret(kind, last.start, end)
    secrets = [secret for _, secret in apart]
    if false_positives.any_known():
        secrets = [each for each in secrets if not false_positives.is_one(text[each.start : each.end])]
    return secrets


def contains_secret(text: str) -> bool:
    """Return whether there is a secret in `text`."""
    found = next(_candidates(text), None) is not None
    return bool(find(text)) if found and false_positives.any_known() else found


def masked(text: str) -> str:
    """Return a text of the same length in which no secret can be read."""
    return covered(text, find(text))


def covered(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text of the same length in which these secrets, in order and apart, cannot be read."""
    pieces, end = [], 0
    for secret in secrets:
        pieces += [text[end : secret.start], MASK * (secret.end - secret.start)]
        end = secret.end
    return "".join((*pieces, text[end:]))


def _word_end(text: str, end: int) -> int:
    """Return where the word ends that a secret ends in: what is left of it would be a part of the secret."""
    rest = _WORD.match(text, end - 1)
    return rest.end() if rest is not None else end


def _candidates(text: str) -> Iterator[tuple[int, Secret]]:
    """Yield what the detectors find, with the rank of the detector; the lowest is the most particular."""
    if not _SIGNED.search(text):
        return
    for rank, detector in enumerate(detectors_for(text)):
        for start, end in detector.spans(text):
            if start < end and (detector.proven or not is_placeholder(text[start:end])):
                yield rank, Secret(detector.kind, start, end)
