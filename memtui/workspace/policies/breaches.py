"""What policies and rules refused: a line of the journal each, with nothing that the agent wrote (S-61)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused
from memtui.memory.policies import wording
from memtui.workspace.db.models import Breach
from memtui.workspace.journal import entries

if TYPE_CHECKING:
    from memtui.workspace.context import Context

REFUSED = "refused"  # the kind of the journal's entries

_TODAY = (
    f"SELECT b.agent, b.policy, count(*), max(j.at), b.code = '{wording.RULE}' AS by_rule FROM breaches b "
    "JOIN journal j ON j.id = b.journal_id WHERE j.at >= ? "
    "GROUP BY b.agent, b.policy, by_rule ORDER BY b.agent, b.policy, by_rule"
)


@contextmanager
def journaled(ctx: Context, agent: str, store: str = "") -> Iterator[None]:
    """Journal what a policy refuses within, where the workspace can be written to."""
    try:
        yield
    except PolicyRefused as refusal:
        if not ctx.read_only:
            _note(ctx, agent, store, refusal)
        raise


def _note(ctx: Context, agent: str, store: str, refusal: PolicyRefused) -> None:
    summary = wording.refused(agent, refusal.policy, refusal.code)
    with ctx.writing, ctx.db.atomic():
        entry = entries.add(ctx, f"agent:{agent}", REFUSED, summary, [])
        ctx.db.write(
            Breach.insert(
                journal_id=entry, agent=agent, policy=refusal.policy, code=refusal.code, store=store
            )
        )


@dataclass(frozen=True, slots=True)
class Breaches:
    """How often a policy, or the rule of that name, refused something to an agent today, and when last (Unix
    seconds)."""

    agent: str
    policy: str
    count: int
    last: float
    by_rule: bool = False


def today(ctx: Context) -> list[Breaches]:
    """Return what was refused today, by agent, and by policy or rule."""
    midnight = datetime.fromtimestamp(ctx.clock()).replace(hour=0, minute=0, second=0, microsecond=0)
    found = ctx.db.rows(_TODAY, (midnight.timestamp(),))
    return [Breaches(agent, name, count, last, bool(by_rule)) for agent, name, count, last, by_rule in found]
