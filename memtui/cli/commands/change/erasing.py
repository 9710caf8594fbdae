"""What `memtui purge` and `memtui redact` share: both erase for good, and offer to delete the backups that
still have it (S-50, S-62)."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.bulk import STOPPED, control
from memtui.cli.commands.stores import backup
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.serialization.backups import backup_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.results import ErasureResult
    from memtui.memory.stores import Backup
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Erasure:
    """One way to erase: its `command`, which is also the word that confirms it, and the `kind` of its JSON.

    `confirm` prints what would be erased and raises Refused unless it is confirmed; both are given whether
    backups are deleted, too, which `run` may leave to the caller. `backups_deleted` and `backups_hold` say
    what becomes of those.
    """

    command: str
    kind: str
    run: Callable[[Workspace, Sequence[int], JobControl | None, bool], ErasureResult]
    confirm: Callable[[Workspace, Sequence[int], bool, Output], None]
    backups_deleted: Callable[[int], str]
    backups_hold: str


def erase(args: Namespace, output: Output, erasure: Erasure) -> int:
    """Erase of the memories of the command line; --backups also deletes the backups that still have it."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        uids = {id: memory.uid for id, memory in zip(ids, opened.memories(ids), strict=True)}
        if not args.yes:
            erasure.confirm(opened, ids, args.backups, output)
        with control(output, erasure.command) as job:
            done = erasure.run(opened, ids, job, args.backups)
        deleted = done.deleted
        if args.backups and done.backups and not done.unreached:
            deleted = opened.delete_backups([each.id for each in done.backups])
    if output.json:
        output.data(
            {
                "kind": erasure.kind,
                "summary": done.summary,
                "count": done.count,
                "uids": [uids[id] for id in done.ids],
                "notes": list(done.notes),
                "backups": [] if deleted else [backup_as_json(each) for each in done.backups],
                "backups_deleted": deleted,
                **({"unreached": done.unreached} if done.unreached else {}),
            }
        )
    else:
        _print(done, deleted, erasure, output)
    return STOPPED if done.unreached else 0


def print_backups_to_come(
    holding: Sequence[Backup], deleted: str, kept: str, *, delete: bool, output: Output
) -> None:
    """Print the backups that have what is erased, and what becomes of them."""
    if holding:
        output.note(deleted if delete else kept)
        for each in holding:
            output.note(f"  {each.id}  {each.store}")


def can_ask() -> bool:
    """Return whether somebody is there to confirm."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stderr.isatty())


def is_confirmed(word: str, output: Output) -> bool:
    """Ask for the word that confirms; return whether it is typed."""
    output.note(wording.confirm(word))
    return sys.stdin.readline().strip() == word


def _print(done: ErasureResult, deleted: int, erasure: Erasure, output: Output) -> None:
    output.line(wording.erased(done.summary))
    for note in done.notes:
        output.note(note)
    if deleted:
        output.line(erasure.backups_deleted(deleted))
    elif done.backups:
        output.line(erasure.backups_hold)
        backup.print_backups(output, done.backups)
        command = shlex.join(["rm", *(each.path for each in done.backups)])
        output.line(wording.delete_backups_by(command))
