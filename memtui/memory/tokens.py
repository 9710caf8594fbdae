"""Counting tokens: what a budget is measured in (S-71)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class TokenCounter(Protocol):
    """Counts the tokens of texts; `name` tells by which tokenizer, `unit` what is counted."""

    @property
    def name(self) -> str: ...

    @property
    def unit(self) -> str: ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, without the marks that a model adds around it."""
        ...


class CharacterCounter:
    """Counts characters, where no tokenizer can be loaded."""

    name = "characters"
    unit = "characters"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of characters of each text."""
        return [len(text) for text in texts]
