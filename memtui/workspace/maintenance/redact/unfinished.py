"""What is left to do of a redaction, kept while it runs: a process that dies leaves no value behind (S-7).

Before the first store is written, the values are put down in the workspace, which has them at that time
anyway. They go in the transaction that takes them out of everything else; from then on, only the backups to
delete are known. The next start, or the next change, does what is left of a redaction whose process died.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.workspace.db.models import ViewState

if TYPE_CHECKING:
    from memtui.memory.secrets.redaction import Replacements
    from memtui.values import JsonObject
    from memtui.workspace.context import Context

_NAME = "redaction of "  # of the rows, before the lease of their process
_ROWS = f"SELECT name, value FROM view_state WHERE name >= '{_NAME}' AND name < '{_NAME}~'"


def begin(ctx: Context, redactions: Mapping[int, Replacements], *, with_backups: bool) -> None:
    """Put down what is redacted, by memory, and whether backups that have it are deleted."""
    values = {str(id): dict(redacted.values) for id, redacted in redactions.items()}
    _put(ctx, {"values": values, "with_backups": with_backups})


def set_erased(ctx: Context, backups: Sequence[str]) -> None:
    """Forget the values, which memtui has no more; these backups are left to delete."""
    _put(ctx, {"delete": list(backups)})


def end(ctx: Context) -> None:
    """Forget this process's redaction: it is done, or nothing was."""
    ctx.db.delete_many(ViewState, ("name",), [(_name(ctx),)])


def of_dead_processes(ctx: Context) -> Iterator[JsonObject]:
    """Yield the redactions whose process died, or failed to complete them, each taken over by this process.
    The caller holds `ctx.writing`, so that none of this process is under way."""
    for name, text in ctx.db.rows(_ROWS):
        lease = name.removeprefix(_NAME)
        if lease == ctx.leases.own() or not ctx.leases.is_held(lease):
            ctx.db.write(ViewState.update(name=_name(ctx)).where(ViewState.name == name))
            yield json.loads(text)


def _put(ctx: Context, kept: JsonObject) -> None:
    row = ViewState.insert(name=_name(ctx), value=json.dumps(kept))
    ctx.db.write(row.on_conflict_replace())


def _name(ctx: Context) -> str:
    return f"{_NAME}{ctx.leases.own()}"
