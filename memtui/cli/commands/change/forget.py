"""`memtui forget`: memories leave their stores as the format deletes them, until restored (S-106)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.bulk import control, print_change, print_preview
from memtui.cli.parser import wording as usage
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.formats.contract.records import clean

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace


def forget(args: Namespace, output: Output) -> int:
    """Forget the memories of these uids, those of an owner with a key, or with --yes all of a store, with its
    entities."""
    if (args.owner is None) != (args.key is None):
        raise usage.owner_without_key()
    if bool(args.uids) + (args.key is not None) + (args.store is not None) != 1:
        raise usage.not_one_selection()
    with workspace(args, output) as opened:
        ids = _selected(args, opened)
        if args.dry_run:
            print_preview(opened, "forget", ids, output, with_entities=args.store is not None)
            return 0
        if args.store is not None and not args.yes:
            _print_count(len(ids), output)
            return 0
        with control(output, "forget") as job:
            change = opened.forget(ids, job, with_entities=args.store is not None)
        return print_change(opened, change, output)


def _selected(args: Namespace, opened: Workspace) -> list[int]:
    if args.store is not None:
        return opened.ids_in(store=clean(args.store))
    if args.key is not None:
        return opened.ids_in(owner=clean(args.owner), key=clean(args.key))
    return ids_of(opened, args.uids)


def _print_count(count: int, output: Output) -> None:
    if output.json:
        output.data({"count": count})
    else:
        output.note(wording.to_forget(count))
