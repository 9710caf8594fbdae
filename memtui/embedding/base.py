"""The protocol of an embedding model (S-35)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol


class Embedder(Protocol):
    """A loaded model; it may be called from several threads at once.

    `name` is recorded with the vectors: with another name, everything is embedded again. `dim` is the
    dimension of a vector.
    """

    name: str
    dim: int

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Return one unit vector for each text, as `dim` little-endian float32.

        A text always gives the same vector, whatever the other texts are.
        """
        ...

    def tokens_per_word(self, words: Sequence[str]) -> float:
        """Return into how many tokens the model splits a word on average: 1 if it knows them all, or cannot
        tell."""
        ...


Opener = Callable[[], Embedder]
"""Loads a model, which takes a second or more; raises ModelMissing if it cannot. An opener may have a method
`matches(name)`, which tells without loading whether vectors with this name may come from its model."""


class ModelMissing(Exception):
    """A model cannot be loaded: the message is the reason, `hint` says what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
