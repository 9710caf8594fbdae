"""`memtui embed` (S-35): gives a vector to each memory that waits for one.

With --json: {"model", "read", "vectors", "waiting", "stopped", "retries": [{"count", "why", "due"}]}.
Exits with 130 where ctrl+c stopped it; what was read stays.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.memory.encoding import iso
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

FEW = 200  # memories that a search reads by meaning before it answers


def embed(args: Any, output: Output) -> int:
    """Work the queue off, and say what was done and what is left."""

    with fresh(args, output) as opened, stopping() as stopped:
        _model(opened)
        read = work_off(opened, output, stopped)
        state, failed = opened.meaning(), opened.retries()
    left = stopped() and state.pending > 0
    given_up = bool(state.error) and not left and state.pending > sum(one.count for one in failed)
    if given_up and not read:
        raise Refused("model", state.error, state.hint)
    if output.json:
        output.data(
            {
                "model": state.model,
                "read": read,
                "vectors": state.embedded,
                "waiting": state.pending,
                "stopped": left,
                "retries": [{"count": one.count, "why": one.why, "due": iso(one.due)} for one in failed],
            }
        )
        return 130 if left else 0
    if left:
        output.line(
            f"Stopped. {_memories(read)} read, {state.pending:,} wait; memtui embed goes on from here."
        )
    elif read:
        output.line(f"{_memories(read)} read by {state.model}.")
    elif not state.pending:
        output.line(f"Nothing waits: {_memories(state.embedded)} read by {state.model}.")
    for one in failed:
        output.note(f"Not read: {counted(one.count, 'memory')}, tried again after {iso(one.due)}: {one.why}")
    if given_up:
        output.note(f"{state.pending:,} wait: {state.error} {state.hint}".rstrip())
    return 130 if left else 0


def work_off(opened: Workspace, output: Output, stopped: Callable[[], bool] = lambda: False) -> int:
    """Give a vector to each memory that waits for one; how many got it."""
    from memtui.workspace.background import JobControl

    def tell(done: int, left: int) -> None:
        output.progress("reading by meaning", done / max(1, done + left))

    try:
        return opened.embed(JobControl(stop=stopped, tell=tell))
    finally:
        output.progress("reading by meaning", 1.0)


def catch_up(opened: Workspace, output: Output) -> None:
    """Before a question: give the few that wait their vectors, which takes seconds at most. More are left
    to `memtui embed`."""
    state = opened.meaning()
    if 0 < state.pending <= FEW and not opened.read_only and opened.load_model():
        work_off(opened, output)


def _model(opened: Workspace) -> None:
    """Load it, which also notices that it is another one than before; Refused where it cannot be."""
    if opened.read_only:
        raise Refused("read-only", "Nothing was read by meaning: the workspace is only read.", "")
    if not opened.load_model():
        state = opened.meaning()
        hint = 'Set model in the settings, for instance to "".' if state.phase == "off" else state.hint
        raise Refused("no-model", state.error, hint)


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """The first ctrl+c is a wish to stop, which is kept between two batches; the second one stops."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


def _memories(count: int) -> str:
    return counted(count, "memory was", "memories were")
