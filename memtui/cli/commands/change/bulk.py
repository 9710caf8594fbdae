"""What the verbs share: --dry-run, which tells what a verb would do to each store and changes nothing, and
progress on a terminal, and ctrl+c, which stops between two memories (S-82).

With --json, --dry-run prints {"dry_run": true, "stores": [{"store", "count", "does", "local", "blocked":
[{"why", "count"}]}]}; `local` means that memtui alone keeps the change.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.stores.embed import interruptible
from memtui.cli.runtime.output import Output
from memtui.errors import Refused
from memtui.memory.results import Change, StorePreview
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.workspace.background import JobControl
    from memtui.workspace.changes.field_changes import Retag
    from memtui.workspace.workspace import Workspace

STOPPED = 130  # the exit code


def print_preview(
    opened: Workspace,
    action: str,
    ids: Sequence[int],
    output: Output,
    fields: Mapping[str, FieldValue] | None = None,
    retag: Retag | None = None,
    *,
    with_entities: bool = False,
) -> None:
    """Print what a verb would do to these memories, store by store."""
    found = opened.preview(action, ids, fields or {}, retag, with_entities=with_entities)
    if output.json:
        output.data({"dry_run": True, "stores": [_as_json(each) for each in found]})
        return
    for each in found:
        if each.count:
            output.line(wording.would_do(action, each.store, each.count, each.text))
        for reason, count in each.blocked.items():
            output.line(wording.would_not(each.store, count, reason))
    output.note(wording.NOTHING_CHANGED)


def _as_json(preview: StorePreview) -> dict[str, object]:
    blocked = [{"why": reason, "count": count} for reason, count in preview.blocked.items()]
    return {
        "store": preview.store,
        "count": preview.count,
        "does": preview.text,
        "local": preview.local,
        "blocked": blocked,
    }


@contextmanager
def control(output: Output, action: str) -> Iterator[JobControl | None]:
    """Yield what shows the progress of a verb on a terminal, and lets ctrl+c stop it; None where nothing is a
    terminal, since parts cost time and nobody can press a key."""
    # A stream that was closed before Python started is None, as below some daemons.
    if not any(stream and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        yield None
        return
    from memtui.workspace.background import JobControl

    label, drawn = wording.IN_PROGRESS[action], False

    def report(done: int, left: int) -> None:
        nonlocal drawn
        if left:  # a change that is done at once shows nothing
            output.progress(label, done / (done + left))
            drawn = True

    with interruptible() as stopped:
        try:
            yield JobControl(stop=stopped, report=report)
        except Refused as refused:
            if refused.code == "stopped":
                raise KeyboardInterrupt from None  # exit code 130
            raise
        finally:
            if drawn:
                output.progress(label, 1.0)


def print_change(opened: Workspace, change: Change, output: Output) -> int:
    """Print what a verb did; return the exit code."""
    output.change(opened, change, [memory.uid for memory in opened.memories(change.ids)], unreached(change))
    return exit_code(change)


def unreached(change: Change) -> dict[str, object]:
    """Return what --json adds for a verb that was stopped."""
    return {"unreached": change.unreached} if change.unreached else {}


def exit_code(change: Change) -> int:
    """Return the exit code of a verb, which may have been stopped."""
    return STOPPED if change.unreached else 0
