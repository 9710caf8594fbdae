"""What is left to do of a redaction, kept while it runs: a process that dies leaves no value behind (S-7).

Before the first store is written, the values are put down in the workspace, which has them at that time
anyway. They go in the transaction that takes them out of everything else; from then on, only the backups to
delete are known. The next start, or the next change, does what is left of a redaction whose process died.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.db.models import ViewState

if TYPE_CHECKING:
    from memtui.values import JsonObject
    from memtui.workspace.context import Context

_NAME = "redaction of "  # of the rows, before the lease of their process and an id
_ROWS = f"SELECT name, value FROM view_state WHERE name >= '{_NAME}' AND name < '{_NAME}~'"


def begin(ctx: Context, redactions: Mapping[int, Replacements], *, with_backups: bool) -> str:
    """Put down what is redacted, by memory, and whether backups that have it are deleted; return the name
    under which it is kept."""
    values = {str(id): [dict(each.values), dict(each.names)] for id, each in redactions.items()}
    return _put(ctx, {"values": values, "with_backups": with_backups})


def redactions(kept: JsonObject) -> dict[int, Replacements]:
    """Return what was to be redacted, by memory; {} where only backups are left to delete."""
    return {int(id): Replacements(values, names) for id, (values, names) in kept.get("values", {}).items()}


def set_erased(ctx: Context, name: str, backups: Sequence[str]) -> str:
    """Forget the values, which memtui has no more, and keep the backups to delete; return the new name."""
    end(ctx, name)
    return _put(ctx, {"delete": list(backups)})


def end(ctx: Context, name: str) -> None:
    """Forget a redaction: it is done, or nothing was."""
    ctx.db.run("PRAGMA secure_delete=ON")  # the values of one that was refused go with it
    ctx.db.delete_many(ViewState, ("name",), [(name,)])


def of_dead_processes(ctx: Context) -> Iterator[tuple[str, JsonObject]]:
    """Yield the redactions whose process died, or failed to complete them, with their names. The caller holds
    `ctx.writing`, so that none of this process is under way. Unused pages that this process could not empty
    wait for another one."""
    for name, text in ctx.db.rows(_ROWS):
        lease, kept = name.removeprefix(_NAME).partition(" ")[0], json.loads(text)
        if "values" in kept if lease == ctx.leases.own() else not ctx.leases.is_held(lease):
            yield name, kept


def _put(ctx: Context, kept: JsonObject) -> str:
    name = f"{_NAME}{ctx.leases.own()} {ctx.new_id()}"
    ctx.db.write(ViewState.insert(name=name, value=json.dumps(kept)))
    return name
