"""`memtui purge`: asks first, because it cannot be undone (S-50)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.cli.commands.change import erasing, wording
from memtui.cli.runtime.output import Output
from memtui.memory.memory import label_of

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace

SHOWN = 10  # memories; of more, the stores are counted
_COMMAND = "purge"


def purge(args: Namespace, output: Output) -> int:
    """Erase memories; --backups also deletes the backups that contain them."""
    return erasing.erase(args, output, _ERASURE)


def _confirm(opened: Workspace, ids: Sequence[int], backups: bool, output: Output) -> None:
    """Print what would be erased and which backups contain it; raise Refused unless the word is typed."""
    if output.json or not erasing.can_ask():
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
    erasing.print_backups_to_come(
        holding, wording.BACKUPS_DELETED, wording.BACKUPS_KEPT, delete=backups, output=output
    )
    if not erasing.is_confirmed(_COMMAND, output):
        raise wording.not_confirmed()


_ERASURE = erasing.Erasure(
    _COMMAND,
    "purged",
    lambda opened, ids, job, backups: opened.purge(ids, job),
    _confirm,
    wording.backups_deleted,
    wording.BACKUPS_STILL_HOLD,
)
