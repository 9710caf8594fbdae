"""Putting a link right that leads to nobody, where the name that it means is plain: a change that undo takes
back."""

from __future__ import annotations

from memtui.errors import Refused
from memtui.formats import slips
from memtui.formats.contract.adapter import Adapter
from memtui.formats.media.files.store import FileStore
from memtui.memory.stores import Issue
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import Context
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import catalog

CODES = ("dangling", "dangling-line", "dangling-edge", "dangling-link")  # of findings about such links
MEND = "changes “{}” to “{}”; memtui undo reverts it"
WORDS = "{} Did you mean “{}”?"


def meant(adapter: Adapter) -> dict[tuple[str, str, str], str]:
    """The names that links of a store seem to mean, by code, place and wrong name of their findings."""
    return slips.found(adapter) if isinstance(adapter, FileStore) else {}


def mend(ctx: Context, ailment: Issue) -> str:
    """Have the links of a finding lead to the name that they mean."""
    store = catalog.named(ctx, ailment.store)
    adapter = ctx.adapter(store)
    why = catalog.locked(store)
    if why or not isinstance(adapter, FileStore):
        raise Refused("read-only", why or "It is no store of files any more.", "Nothing was changed.")
    plan, name = slips.plan(adapter, (ailment.code, ailment.place, ailment.about))
    id = ctx.db.one("SELECT id FROM memories WHERE store_id = ? AND ref = ?", (store.id, plan.ref))
    if id is None:
        raise Refused("gone", "The memory is not known to memtui yet; read the store first.")
    (held,) = memory_rows.held(ctx.db, [id])
    piece = ChangeItem(held, store, {}, {}, adapter=adapter, plan=plan)
    said = f"Changed a link from {ailment.about} to {name}"
    done = outbox.run(ctx, "edited", said, [piece])
    if piece.refused is not None:
        raise piece.refused
    return f"{said}{done.ending}. Take it back: memtui undo {done.line}"
