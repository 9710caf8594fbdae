"""`memtui backup …`: the copies of stores, and going back to one (S-6)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.formats.contract.adapter import clean
from memtui.memory.stores import Backup
from memtui.serialization.backups import backup_as_json

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def show(args: Any, output: Output) -> None:
    """The copies, newest first: id, store, when, size."""
    with workspace(args, output) as opened:
        found = opened.backups(clean(args.name) if args.name else "")
    if output.json:
        output.data([backup_as_json(backup) for backup in found])
        return
    table(output, found)
    if not found:
        output.note("There are no backups yet: the first write of a day to a store makes one.")


def restore(args: Any, output: Output) -> None:
    """Make a store what a copy holds; what stands there now is copied first."""
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
        output.line(f"{change.summary}.")
        if before is not None:
            output.line(f"As it was before: memtui backup restore {before.id}")


def table(output: Output, found: Iterable[Backup]) -> None:
    """One line a copy."""
    output.table(
        [
            (
                each.id,
                each.store or "(a store that is no longer known)",
                f"{datetime.fromtimestamp(each.made_at):%Y-%m-%d %H:%M:%S}",
                _size(each.size),
            )
            for each in found
        ],
        whole=True,
    )


def _size(count: int) -> str:
    size, unit = float(count), 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:,.0f} {_UNITS[unit]}" if unit < 2 else f"{size:,.1f} {_UNITS[unit]}"
