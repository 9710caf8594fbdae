"""`memtui embed` (S-35): embed all memories that have no vector yet.

With --json: {"model", "read", "vectors", "waiting", "stopped", "retries": [{"count", "why", "due"}]}.
Exits with 130 if ctrl+c stopped it; the vectors made until then are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.long_work import interruptible
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.memory.encoding import iso

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace

FEW = 200  # memories that a search embeds before it answers


def embed(args: Namespace, output: Output) -> int:
    """Embed what is pending, and print what was done and what remains."""
    with fresh(args, output) as opened, interruptible() as stopped:
        _load_model(opened)
        read = embed_pending(opened, output, stopped)
        state, failed = opened.embedding_state(), opened.retries()
    cut = stopped() and state.pending > 0
    given_up = bool(state.error) and not cut and state.pending > sum(each.count for each in failed)
    if given_up and not read:
        raise Refused("model", state.error, state.hint)
    if output.json:
        output.data(
            {
                "model": state.model,
                "read": read,
                "vectors": state.embedded,
                "waiting": state.pending,
                "stopped": cut,
                "retries": [{"count": each.count, "why": each.why, "due": iso(each.due)} for each in failed],
            }
        )
        return 130 if cut else 0
    if cut:
        output.line(wording.indexing_stopped(read, state.pending))
    elif read:
        output.line(wording.indexed(read, state.model))
    elif not state.pending:
        output.line(wording.nothing_pending(state.embedded, state.model))
    for each in failed:
        output.note(wording.not_indexed(each.count, iso(each.due), each.why))
    if given_up:
        output.note(wording.pending(state.pending, state.error, state.hint))
    return 130 if cut else 0


def embed_pending(opened: Workspace, output: Output, stopped: Callable[[], bool] = lambda: False) -> int:
    """Embed all memories that have no vector yet, and return how many were embedded."""
    from memtui.workspace.background import JobControl

    def report(done: int, left: int) -> None:
        output.progress(wording.INDEXING, done / max(1, done + left))

    try:
        return opened.embed(JobControl(stop=stopped, report=report))
    finally:
        output.progress(wording.INDEXING, 1.0)


def embed_few(opened: Workspace, output: Output) -> None:
    """Embed pending memories if they are few, which takes seconds at most; `memtui embed` does more."""
    state = opened.embedding_state()
    if 0 < state.pending <= FEW and not opened.read_only and opened.load_model():
        embed_pending(opened, output)


def _load_model(opened: Workspace) -> None:
    """Load the model, which also detects a change of model; raise Refused if it cannot be loaded."""
    if opened.read_only:
        raise wording.embed_read_only()
    if not opened.load_model():
        state = opened.embedding_state()
        hint = wording.SET_MODEL if state.phase == "off" else state.hint
        raise Refused("no-model", state.error, hint)
