"""What `memtui add --as AGENT` prints (S-85).

With --json: {"outcome": "added", "pending", "known" or "replaced", "uid", "summary", "journal", "other":
{"uid", "family", "why"} or null, "left": [uid, …]}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change.wording import uid
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.wording import changed
from memtui.memory.policies import wording
from memtui.memory.policies.remembered import PENDING

if TYPE_CHECKING:
    from memtui.memory.policies.remembered import Remembered
    from memtui.workspace.workspace import Workspace


def print_remembered(opened: Workspace, done: Remembered, output: Output) -> None:
    """Print what became of a write: nothing about memories that the agent may not read."""
    (memory,) = opened.memories([done.id])
    left = [each.uid for each in opened.memories(done.left)]
    if output.json:
        other = {"uid": done.other, "family": done.family, "why": done.reason}
        output.data(
            {
                "outcome": done.outcome,
                "uid": memory.uid,
                "summary": done.change.summary,
                "journal": done.change.journal_id or None,
                "other": other if done.other else None,
                "left": left,
            }
        )
        return
    output.line(changed(done.change.summary, done.change.journal_id))
    output.line(uid(memory.uid))
    if done.outcome == PENDING:
        output.line(wording.WAITS)
    if done.other:
        output.line(wording.meets(done.family, done.other, done.reason))
    if left:
        output.line(wording.made_room(left))
