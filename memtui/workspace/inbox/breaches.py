"""What policies and rules refused today, one line an agent and policy or rule (S-52, S-61)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from memtui.memory.inbox.items import BREACH, InboxItem
from memtui.memory.policies import wording
from memtui.memory.secrets.masking import hidden
from memtui.workspace.context import NATIVE
from memtui.workspace.policies import breaches

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def items(ctx: Context, now: float, only: Collection[int] | None) -> Iterator[InboxItem]:
    """Yield the items; they are about agents whatever memories are asked for. They go when the day does."""
    for each in breaches.today(ctx):
        label = hidden(wording.refused_today(each.agent, each.policy, each.count, rule=each.by_rule))
        code = f"{each.agent}: {'rule ' * each.by_rule}{each.policy}"
        yield InboxItem(BREACH, NATIVE, label, code, each.last, count=each.count)
