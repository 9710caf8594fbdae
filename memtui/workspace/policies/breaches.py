"""What policies and rules refused: a line of the journal each, with nothing that the agent wrote (S-61)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.errors import PolicyRefused
from memtui.memory.policies import wording
from memtui.memory.policies.policy import DAY
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

_LATELY = (
    "SELECT b.policy, b.agent, b.code, b.store, count(*), sum(j.at >= ?), max(j.at) "
    f"FROM breaches b JOIN journal j ON j.id = b.journal_id WHERE j.at >= ? AND b.code <> '{wording.RULE}' "
    "GROUP BY b.policy, b.agent, b.code, b.store ORDER BY max(j.at) DESC, b.policy, b.agent, b.code, b.store"
)
DAYS = 30  # that `lately` looks back


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
    found = ctx.db.rows(_TODAY, (_midnight(ctx),))
    return [Breaches(agent, name, count, last, bool(by_rule)) for agent, name, count, last, by_rule in found]


@dataclass(frozen=True, slots=True)
class Refusals:
    """How often a policy refused one kind of thing to an agent in a store ("" for a question), how often of
    that `today`, and when last (Unix seconds)."""

    policy: str
    agent: str
    code: str
    store: str
    count: int
    today: int
    last: float


def lately(ctx: Context) -> list[Refusals]:
    """Return what policies refused in the last `DAYS` days, the last first."""
    since = ctx.clock() - DAYS * DAY
    return [Refusals(*row) for row in ctx.db.rows(_LATELY, (_midnight(ctx), since))]


def _midnight(ctx: Context) -> float:
    now = datetime.fromtimestamp(ctx.clock())
    return now.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()
