"""Texts that the model failed on and that are to be retried (S-35)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.workspace.context import Context


@dataclass(frozen=True, slots=True)
class Retry:
    """How many memories failed for one reason, and when the first is retried (Unix seconds)."""

    count: int
    why: str
    due: float


def retries(ctx: Context) -> list[Retry]:
    """Return the failures by reason, the most frequent first."""
    return [
        Retry(int(count), why or "", float(due))
        for count, why, due in ctx.db.rows(
            "SELECT count(*), why, min(due) FROM embedding_queue WHERE tries > 0 "
            "GROUP BY why ORDER BY 1 DESC, 2"
        )
    ]
