"""`memtui purge`: the only command that asks, because it cannot be undone (S-50)."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.bulk import STOPPED, control
from memtui.cli.commands.stores import backup
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.memory.memory import label_of
from memtui.serialization.backups import backup_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.results import PurgeResult
    from memtui.workspace.workspace import Workspace

SHOWN = 10  # memories; of more, the stores are counted
_CONFIRMATION = "purge"


def purge(args: Namespace, output: Output) -> int:
    """Erase memories; --backups also deletes the backups that contain them."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        uids = [memory.uid for memory in opened.memories(ids)]
        if not args.yes:
            _confirm(opened, ids, args.backups, output)
        with control(output, "purge") as job:
            purged = opened.purge(ids, job)
        deleted = 0
        if args.backups and purged.backups and not purged.unreached:
            deleted = opened.delete_backups([each.id for each in purged.backups])
    if output.json:
        left = [] if deleted else [backup_as_json(each) for each in purged.backups]
        output.data(
            {
                "kind": "purged",
                "summary": purged.summary,
                "count": purged.count,
                "uids": uids,
                "notes": list(purged.notes),
                "backups": left,
                "backups_deleted": deleted,
                **({"unreached": purged.unreached} if purged.unreached else {}),
            }
        )
    else:
        _print(purged, deleted, output)
    return STOPPED if purged.unreached else 0


def _confirm(opened: Workspace, ids: Sequence[int], backups: bool, output: Output) -> None:
    """Print what would be erased and which backups contain it; raise Refused unless the word is typed."""
    if output.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise wording.cannot_ask()
    output.note(wording.PURGE_SCOPE)
    for id in ids[:SHOWN]:
        detail = opened.detail(id)
        if detail is not None:
            memory = detail.memory
            place = wording.place_in_file(detail.place, detail.path) if detail.place else memory.store
            label = label_of(memory.title, memory.subject, memory.content)
            output.note(wording.memory_at(memory.uid, label, place))
    if len(ids) > SHOWN:
        stores = Counter(row.store for row in opened.rows(ids))
        for store, count in stores.most_common():
            output.note(wording.purged_of(count, store))
    holding = opened.backups_holding(ids)
    if holding:
        output.note(wording.BACKUPS_DELETED if backups else wording.BACKUPS_KEPT)
        for each in holding:
            output.note(f"  {each.id}  {each.store}")
    output.note(wording.confirm_purge(_CONFIRMATION))
    if sys.stdin.readline().strip() != _CONFIRMATION:
        raise wording.not_confirmed()


def _print(purged: PurgeResult, deleted: int, output: Output) -> None:
    output.line(wording.purged(purged.summary))
    for note in purged.notes:
        output.note(note)
    if deleted:
        output.line(wording.backups_deleted(deleted))
    elif purged.backups:
        output.line(wording.BACKUPS_STILL_HOLD)
        backup.print_backups(output, purged.backups)
        command = shlex.join(["rm", *(each.path for each in purged.backups)])
        output.line(wording.delete_backups_by(command))
