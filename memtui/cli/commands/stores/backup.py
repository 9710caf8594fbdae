"""`memtui backup …`: the backups of stores, and restoring one (S-6)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.cli.commands.stores import wording
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.formats.contract.records import clean
from memtui.memory.stores import Backup
from memtui.serialization.backups import backup_as_json
from memtui.text import size_text

if TYPE_CHECKING:
    from argparse import Namespace


def list_(args: Namespace, output: Output) -> None:
    """Print the backups, newest first: id, store, time, size."""
    with workspace(args, output) as opened:
        found = opened.backups(clean(args.name) if args.name else "")
    if output.json:
        output.data([backup_as_json(backup) for backup in found])
        return
    print_backups(output, found)
    if not found:
        output.note(wording.NO_BACKUPS)


def restore(args: Namespace, output: Output) -> None:
    """Restore a backup; the store as it is now is backed up first."""
    with workspace(args, output) as opened:
        known = {each.id for each in opened.backups()}
        change = opened.restore_backup(clean(args.id))
        before = next((each for each in opened.backups() if each.id not in known), None)
        if output.json:
            output.data(
                {
                    "kind": change.kind,
                    "summary": change.summary,
                    "journal": change.journal_id,
                    "backup": before and backup_as_json(before),
                }
            )
            return
        output.line(wording.restored(change.summary))
        if before is not None:
            output.line(wording.restore_before(before.id))


def print_backups(output: Output, found: Iterable[Backup]) -> None:
    """Print a line for each backup."""
    output.table(
        [
            (
                each.id,
                each.store or wording.UNKNOWN_STORE,
                f"{datetime.fromtimestamp(each.made_at):%Y-%m-%d %H:%M:%S}",
                size_text(each.size),
            )
            for each in found
        ],
        whole=True,
    )
