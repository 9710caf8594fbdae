"""`memtui redact`: asks first, because it cannot be undone; in a script it tells what it would do (S-62)."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording_redact as wording
from memtui.cli.commands.change.bulk import STOPPED, control
from memtui.cli.commands.stores import backup
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.serialization.backups import backup_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.results import Redacting, RedactResult
    from memtui.workspace.workspace import Workspace

_CONFIRMATION = "redact"


def redact(args: Namespace, output: Output) -> int:
    """Replace the secrets of memories; --backups also deletes the backups that have one."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        uids = {id: memory.uid for id, memory in zip(ids, opened.memories(ids), strict=True)}
        if not args.yes:
            _confirm(opened, ids, args.backups, output)
        with control(output, "redact") as job:
            redacted = opened.redact(ids, job)
        deleted = 0
        if args.backups and redacted.backups and not redacted.unreached:
            deleted = opened.delete_backups([each.id for each in redacted.backups])
    if output.json:
        left = [] if deleted else [backup_as_json(each) for each in redacted.backups]
        output.data(
            {
                "kind": "redacted",
                "summary": redacted.summary,
                "count": redacted.count,
                "uids": [uids[id] for id in redacted.ids],
                "notes": list(redacted.notes),
                "backups": left,
                "backups_deleted": deleted,
                **({"unreached": redacted.unreached} if redacted.unreached else {}),
            }
        )
    else:
        _print(redacted, deleted, output)
    return STOPPED if redacted.unreached else 0


def _confirm(opened: Workspace, ids: Sequence[int], backups: bool, output: Output) -> None:
    """Print what would be redacted; raise Refused unless the word is typed on a terminal."""
    memories, holding = opened.redact_preview(ids)
    if output.json:
        raise wording.cannot_ask([_as_json(each) for each in memories])
    output.note(wording.SCOPE)
    for each in memories:
        output.note(wording.memory(each.uid, each.label, each.store, each.secrets, each.refused))
        for name in each.numbers:
            output.note(wording.number_becomes_text(name))
    if holding:
        output.note(wording.BACKUPS_DELETED if backups else wording.BACKUPS_KEPT)
        for copy in holding:
            output.note(f"  {copy.id}  {copy.store}")
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        raise wording.cannot_ask()
    output.note(wording.confirm(_CONFIRMATION))
    if sys.stdin.readline().strip() != _CONFIRMATION:
        raise wording.not_confirmed()


def _as_json(each: Redacting) -> dict[str, object]:
    secrets = [{"field": name, "becomes": new} for name, new in each.secrets]
    numbers = list(each.numbers)
    return {
        "uid": each.uid,
        "store": each.store,
        "secrets": secrets,
        "numbers": numbers,
        "refused": each.refused,
    }


def _print(redacted: RedactResult, deleted: int, output: Output) -> None:
    output.line(wording.redacted(redacted.summary))
    for note in redacted.notes:
        output.note(note)
    if deleted:
        output.line(wording.backups_deleted(deleted))
    elif redacted.backups:
        output.line(wording.BACKUPS_STILL_HOLD)
        backup.print_backups(output, redacted.backups)
        output.line(wording.delete_backups_by(shlex.join(["rm", *(each.path for each in redacted.backups)])))
