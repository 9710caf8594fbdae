"""What one relation says, beside which two it ties (SPEC 7)."""

from __future__ import annotations

from dataclasses import dataclass

SAYS = ("strength", "context", "body")  # what a relation may say beside its kind


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation's `kind`, `strength` 0–1 or None, `context` (a line of why) and `body` (a text of its own).
    To name one among several of a kind between the same two, all it says counts; `kept` then tells whether
    memtui keeps it, None where that does not matter."""

    kind: str
    strength: float | None = None
    context: str = ""
    body: str = ""
    kept: bool | None = None

    @property
    def said(self) -> tuple[float | None, str, str]:
        """What it says beside its kind."""
        return self.strength, self.context, self.body
