"""Taking back what an agent did: as changes of the person's own, each as its store allows (S-51)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtui.memory.memory import TIMES
from memtui.memory.results import Skipped
from memtui.workspace.changes import planning
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.outbox import Again
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import ERASED, unbody, unreadable
from memtui.workspace.mirror import memory_rows
from memtui.workspace.stores import catalog


def pieces(ctx: Context, todo: Sequence[Sequence[Any]]) -> tuple[list[ChangeItem], list[Skipped], Again]:
    """The pieces that take back what was pulled, and how to plan them anew; rows of (item, memory,
    …, body before, body after)."""
    stores = store_rows.by_id(ctx.db)
    held = {each.id: each for each in memory_rows.held(ctx.db, [row[1] for row in todo])}
    groups: dict[int, list[tuple[str, ChangeItem]]] = {}
    skipped: list[Skipped] = []
    for item, memory_id, _, before_text, after_text in todo:
        each = held.get(memory_id)
        lost = unreadable(before_text, after_text)
        if each is None or lost is not None:
            skipped.append(Skipped("", "", *(lost or ERASED)))
            continue
        store = stores[each.store_id]
        action, before, after = _back(ctx, store, each, unbody(after_text), unbody(before_text))
        why = catalog.locked(store) or planning.blocked(ctx, action, each, store)
        if not why and not after:
            why = f"What changed in it ({', '.join(before)}) is not for memtui to write."
        if not why and any(
            getattr(each.memory, name) != value for name, value in before.items() if name != "here"
        ):
            why = "it changed again since."
        if why:
            skipped.append(Skipped(each.memory.uid, each.label, "blocked", why))
            continue
        stays = [name for name in unbody(after_text) if name not in (*after, *TIMES, "here")]
        if stays and action != "dismiss":
            why = f"{', '.join(stays)} {'stays' if len(stays) == 1 else 'stay'} as the agent left it."
            skipped.append(Skipped(each.memory.uid, each.label, "partly", why))
        piece = ChangeItem(each, store, before, after, undoes_item=item)
        groups.setdefault(store.id, []).append((action, piece))
    actions = {id(piece): action for group in groups.values() for action, piece in group}

    def prepare(group: Sequence[ChangeItem]) -> None:
        planning.prepare(ctx, [actions[id(piece)] for piece in group], group)

    for group in groups.values():
        prepare([piece for _, piece in group])
    return [piece for group in groups.values() for _, piece in group], skipped, prepare


def _back(
    ctx: Context,
    store: StoreRow,
    each: memory_rows.MirrorRow,
    left: Mapping[str, Any],
    was: Mapping[str, Any],
) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The verb that takes a step back, with fields before and after it."""
    if left.get("here") is False:
        return "restore", {"here": False}, {"here": True}
    if left.get("here") or (was.get("status") in planning.GONE and "status" in left):
        after = planning.dismissal(planning.kind_of(store))
        return "dismiss", {name: getattr(each.memory, name) for name in after}, after
    adapter = ctx.adapter(store)
    names = [name for name in left if adapter is None or name in adapter.fields]
    if not names:
        return "edit", dict(left), {}
    return "edit", {name: left[name] for name in names}, {name: was.get(name) for name in names}
