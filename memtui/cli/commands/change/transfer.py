"""`memtui copy` and `memtui move`: memories into another store, with what it cannot hold (S-82).

With --json as all changes, and "carried": [{"uid", "copy", "label", "changed": {field: [was, is]},
"kept", "lost"}]; `kept` fields stand in memtui alone, `lost` is what stays behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memtui.cli.runtime.open_workspace import workspace
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.formats.contract.adapter import clean
from memtui.memory.encoding import iso, plain
from memtui.memory.memory import TIMES
from memtui.memory.results import TransferPreview
from memtui.serialization.transfer import transfer_as_json


def carry(args: Any, output: Output) -> None:
    """Copy or move them, or with --dry-run only tell."""
    with workspace(args, output) as opened:
        ids = ids_of(opened, args.uids)
        store = clean(args.to)
        if args.dry_run:
            told: Sequence[TransferPreview] = opened.carrying(ids, store)
            if output.json:
                output.data({"carried": [transfer_as_json(each) for each in told]})
            else:
                _report(told, output)
                output.note("Nothing was changed.")
            return
        done = opened.move(ids, store) if args.verb == "move" else opened.copy(ids, store)
        if not output.json:
            _report(done.previews, output)
        more = {"carried": [transfer_as_json(each) for each in done.previews]}
        output.change(done.change, [each.copy_uid for each in done.previews], more)


def _report(carried: Sequence[TransferPreview], output: Output) -> None:
    for each in carried:
        output.line(f"{each.copy_uid or each.uid}  {each.label}")
        for name, (was, now) in each.changed.items():
            output.line(f"  {name}: {_said(name, was)} → {_said(name, now)}")
        if each.kept:
            output.line(f"  kept in memtui alone: {', '.join(each.kept)}")
        if each.lost:
            output.line(f"  stays behind: {', '.join(each.lost)}")


def _said(name: str, value: Any) -> str:
    if value is None or value == ():
        return "nothing"
    said = iso(value) if name in TIMES else ", ".join(map(str, value)) if isinstance(value, tuple) else None
    return str(plain(value)) if said is None else said
