"""What the workspace asks of a model: unit vectors for texts, and what they are called (S-35)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Embedder(Protocol):
    """A loaded model. May be called from several threads at once.

    `name` is recorded with the vectors: another name means another model, so all is embedded anew.
    `dim` is how many numbers a vector has.
    """

    name: str
    dim: int

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text: `dim` little-endian float32 of length 1 in all. The same text always
        gives the same vector, whatever stands beside it."""
        ...

    def pieces(self, words: Sequence[str]) -> float:
        """Into how many pieces the model breaks a word of these, on average: 1 where it knows them all,
        or where it cannot say."""
        ...


Opener = Callable[[], Embedder]
"""Loads a model, which takes a second or more; raises ModelMissing where it cannot. One that has a
method `made` tells by it, without loading, whether vectors under a name may be this model's."""


class ModelMissing(Exception):
    """A model cannot be loaded; the message says why in one sentence, `hint` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
