"""`memtui redact`: asks first, because it cannot be undone; in a script it tells what it would do (S-62)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import erasing
from memtui.cli.commands.change import wording_redact as wording
from memtui.cli.runtime.output import Output

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.memory.results import Redacting
    from memtui.values import JsonObject
    from memtui.workspace.workspace import Workspace

_COMMAND = "redact"


def redact(args: Namespace, output: Output) -> int:
    """Replace the secrets of memories; --backups also deletes the backups that have one."""
    return erasing.erase(args, output, _ERASURE)


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
    erasing.print_backups_to_come(
        holding, wording.BACKUPS_DELETED, wording.BACKUPS_KEPT, delete=backups, output=output
    )
    if coming := list(dict.fromkeys(each.store for each in memories if each.backup)):
        output.note(wording.backup_to_come(coming, delete=backups))
    if not erasing.can_ask():
        raise wording.cannot_ask()
    if not erasing.is_confirmed(_COMMAND, output):
        raise wording.not_confirmed()


def _as_json(each: Redacting) -> JsonObject:
    secrets = [{"field": name, "becomes": new} for name, new in each.secrets]
    numbers = list(each.numbers)
    return {
        "uid": each.uid,
        "store": each.store,
        "secrets": secrets,
        "numbers": numbers,
        "refused": each.refused,
        "backup": each.backup,
    }


_ERASURE = erasing.Erasure(
    _COMMAND,
    "redacted",
    lambda opened, ids, job, backups: opened.redact(ids, job, with_backups=backups),
    _confirm,
    wording.backups_deleted,
    wording.BACKUPS_STILL_HOLD,
)
