"""One side of a pair: what a memory says, taken apart once for all its comparisons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """What a detector may look at. `key` and `owner` as stored, times in Unix seconds. `about` names
    other memories (by the same tokens as `name`) that this one is said to contradict in its store."""

    text: str
    subject: str = ""
    key: str = ""
    owner: str = ""
    valid_from: float | None = None
    valid_to: float | None = None
    at: float | None = None  # when it was last said (updated or made)


def read(
    text: str,
    *,
    subject: str | None = None,
    key: str | None = None,
    owner: str | None = None,
    valid_from: float | None = None,
    valid_to: float | None = None,
    at: float | None = None,
) -> Side:
    """Take a memory apart; the dear half of a comparison, so it is kept for all of them. Never raises."""
    return Side(text, subject or "", key or "", owner or "", valid_from, valid_to, at)
