"""`memtui purge`: the only command that asks, since nothing takes it back (S-50)."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.cli.commands.stores import backup
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.errors import Refused
from memtui.memory.memory import label_of
from memtui.serialization.backups import backup_as_json
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.memory.results import PurgeResult
    from memtui.workspace.workspace import Workspace

_WORD = "purge"


def purge(args: Any, output: Output) -> None:
    """Erase memories; --backups deletes the copies that still hold them, too."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        uids = [memory.uid for memory in opened.memories(ids)]
        if not args.yes:
            _ask(opened, ids, args.backups, output)
        purged = opened.purge(ids)
        deleted = 0
        if args.backups and purged.backups:
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
            }
        )
        return
    _tell(purged, deleted, output)


def _ask(opened: Workspace, ids: Sequence[int], backups: bool, output: Output) -> None:
    """Name what goes and what would stay; Refused unless the word is typed."""
    if output.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            "not-asked",
            "Nothing was erased: a purge cannot be undone, and nobody can be asked here.",
            "With --yes it is done without asking.",
        )
    output.note("Erased for good, from its store and from all that memtui keeps:")
    for id in ids:
        detail = opened.detail(id)
        if detail is not None:
            memory = detail.memory
            where = f"{detail.place} in {detail.path}" if detail.place else memory.store
            label = label_of(memory.title, memory.subject, memory.content)
            output.note(f"  {memory.uid}  {label}  ({where})")
    holding = opened.holding(ids)
    if holding:
        output.note(
            "Backups that hold it, and are deleted:" if backups else "Backups that hold it, and stay:"
        )
        for each in holding:
            output.note(f"  {each.id}  {each.store}")
    output.note(f"This cannot be undone. Type {_WORD} to go on.")
    if sys.stdin.readline().strip() != _WORD:
        raise Refused("not-asked", "Nothing was erased.")


def _tell(purged: PurgeResult, deleted: int, output: Output) -> None:
    output.line(f"{purged.summary}. This cannot be undone.")
    for note in purged.notes:
        output.note(note)
    if deleted:
        output.line(f"Deleted {counted(deleted, 'backup')} that held it.")
    elif purged.backups:
        output.line("These backups still hold it:")
        backup.table(output, purged.backups)
        output.line("They go like any file: " + shlex.join(["rm", *(each.path for each in purged.backups)]))
