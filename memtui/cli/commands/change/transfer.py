"""`memtui copy` and `memtui move`: memories into another store, with what it cannot hold (S-82).

With --json as all changes, and "carried": [{"uid", "copy", "label", "changed": {field: [before, after]},
"kept", "lost"}]; `kept` fields are kept in memtui alone, `lost` is what stays behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import wording
from memtui.cli.commands.change.bulk import control, exit_code, unreached
from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.formats.contract.records import clean
from memtui.memory.encoding import iso, plain
from memtui.memory.memory import TIMES
from memtui.memory.results import TransferPreview
from memtui.serialization.transfer import transfer_as_json
from memtui.values import FieldValue
from memtui.workspace.changes.transferring.wording_transfer import left_behind

if TYPE_CHECKING:
    from argparse import Namespace


def transfer(args: Namespace, output: Output) -> int:
    """Copy or move memories, or with --dry-run only print what would happen."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        store = clean(args.to)
        if args.dry_run:
            previews: Sequence[TransferPreview] = opened.preview_transfer(ids, store)
            if output.json:
                output.data({"carried": [transfer_as_json(each) for each in previews]})
            else:
                _print(previews, output)
                output.note(wording.NOTHING_CHANGED)
            return 0
        with control(output, args.verb) as job:
            run = opened.move if args.verb == "move" else opened.copy
            result = run(ids, store, job)
        if not output.json:
            _print(result.previews, output)
        more: dict[str, object] = {"carried": [transfer_as_json(each) for each in result.previews]}
        more |= unreached(result.change)
        output.change(opened, result.change, [each.copy_uid for each in result.previews], more)
        return exit_code(result.change)


def _print(previews: Sequence[TransferPreview], output: Output) -> None:
    for each in previews:
        output.line(f"{each.copy_uid or each.uid}  {each.label}")
        for name, (before, after) in each.changed.items():
            output.line(f"  {name}: {_value_text(name, before)} → {_value_text(name, after)}")
        if each.kept:
            output.line(wording.kept_fields(each.kept))
        if lost := [*each.lost, *left_behind(each.left)]:
            output.line(wording.lost_fields(lost))


def _value_text(name: str, value: FieldValue) -> str:
    if value is None or value == ():
        return "nothing"
    text = iso(value) if name in TIMES else ", ".join(map(str, value)) if isinstance(value, tuple) else None
    return str(plain(value)) if text is None else text
