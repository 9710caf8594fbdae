"""What the verbs share: --dry-run, which tells what a verb would do to each store and changes nothing, and
progress on a terminal, and ctrl+c, which stops between two memories (S-82).

With --json, --dry-run prints {"dry_run": true, "stores": [{"store", "count", "does", "local", "blocked":
[{"why", "count"}]}]}; `local` means that memtui alone keeps the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.runtime.long_work import long_work
from memtui.cli.runtime.output import Output
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


def control(output: Output, action: str) -> AbstractContextManager[JobControl | None]:
    """Return what shows the progress of a verb on a terminal, and lets ctrl+c stop it."""
    return long_work(output, wording.IN_PROGRESS[action])


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
