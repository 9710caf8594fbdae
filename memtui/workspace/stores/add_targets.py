"""The stores that a memory can be added to, and what each holds of it (S-8)."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.memory.memory import ADDABLE, KINDS
from memtui.memory.stores import AddTarget
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import catalog


def add_targets(ctx: Context) -> list[AddTarget]:
    """Return all attached stores, memtui's own first, each with what a new memory can be there."""
    found: list[AddTarget] = []
    for store in catalog.attached(ctx):
        info = catalog.info(ctx, store)
        if store.format == NATIVE:
            found.append(
                AddTarget(info.name, info.count, info.read_only, dict.fromkeys(KINDS, frozenset(ADDABLE)))
            )
            continue
        try:
            adapter = ctx.adapter(store)
            assert adapter is not None
            fields = {kind: adapter.addable_fields(kind) for kind in adapter.kinds}
        except (Refused, OSError):  # `read_only` says why
            found.append(AddTarget(info.name, info.count, info.read_only, {}))
            continue
        owned = any("owner" in names for names in fields.values())
        owners = tuple(memory_rows.owners(ctx.db, store.id)) if owned else ()
        found.append(AddTarget(info.name, info.count, info.read_only, fields, owners, adapter.categories))
    return found
