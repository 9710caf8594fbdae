"""`memtui recall TEXT --as AGENT`: what an agent is given, under its policies (S-34, S-61).

With --json {"memories": [the array of `memtui search`, with "contradicted_by"], "strategy", "how", "log"}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording_policies as wording
from memtui.cli.commands.read.memories import row_of
from memtui.cli.commands.stores.embed import embed_few
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.memory.policies.policy import agent_name
from memtui.serialization.hits import hit_as_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from memtui.memory.memory import Memory


def recall(args: Namespace, output: Output) -> None:
    """Print the answers that the agent may read, the best first; they are counted as used, and logged."""
    from memtui.workspace.search.recall import Caller

    caller = Caller(agent_name(args.agent))
    with fresh(args, output) as opened:
        embed_few(opened, output)
        opened.load_model()
        found = opened.recall(args.text, caller, strategy=args.strategy, limit=args.limit)
    if output.json:
        first_related = len(found.memories) - found.related
        memories = [
            {
                **hit_as_json(memory, place >= first_related, reason),
                "contradicted_by": list(found.contradicted.get(memory.uid, ())),
            }
            for place, (memory, reason) in enumerate(zip(found.memories, found.reasons, strict=True))
        ]
        output.data(
            {"memories": memories, "strategy": found.strategy, "how": found.how, "log": found.log_id or None}
        )
        return
    output.table([_row(memory, found.contradicted.get(memory.uid, ())) for memory in found.memories])
    if not found.memories:
        output.note(wording.NOTHING_RECALLED)


def _row(memory: Memory, contradicted_by: Sequence[str]) -> tuple[str, ...]:
    *fields, label = row_of(memory)
    return (*fields, f"{wording.contradicted(contradicted_by)} {label}" if contradicted_by else label)
