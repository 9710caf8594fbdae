"""From a change of fields to a plan of bytes: what the store holds itself, and what memtui keeps (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter, How, Planned, Record, Write
from memtui.formats.media.files import atomic_write
from memtui.memory.lifecycles.confirmation import standing
from memtui.workspace.changes import native_store, renamed
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.prior_writes import past
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import NO_FIELDS, RELATION, planned, unbody
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

OURS = {"ties", "superseded_by"}  # fields that no store is asked to hold


GONE = ("dismissed", "superseded", "expired")  # what restore brings back


NEEDS_RESTORE = "It was taken out of its store; restore it first."


def blocked(ctx: Context, action: str, held: MirrorRow, store: StoreRow) -> str:
    """Why `action` cannot work on this memory of `store` now; empty if it can."""
    memory = held.memory
    if ctx.read_only:
        return ctx.read_only
    if why := catalog.locked(store):
        return why
    if not held.shown:
        return f"Its store {memory.store} is detached; attach it again first."
    if action == "pin":
        return "It is pinned already." if memory.pinned else ""
    if action == "unpin":
        return "" if memory.pinned else "It is not pinned."
    if action == "restore":
        gone = memory.status in GONE or held.removed_at is not None
        return "" if gone else "Nothing to restore: it is not dismissed."
    if held.removed_at is not None:
        return "It is no longer in its store."
    kind = kind_of(store)
    if kind is not None and (why := kind.refuses(action, memory.kind)):
        return why
    if action == "dismiss":
        already = memory.status in ("dismissed", dismissal(kind_of(store))["status"])
        return f"It is {memory.status} already." if already else ""
    if held.moved is not None:
        return NEEDS_RESTORE
    if action in ("confirm", "supersede", "copy") and memory.status in GONE:
        return f"It is {memory.status}; restore it first."
    return ""


def consequence(adapter: Adapter | None, action: str, name: str = "", kind: str = "item") -> str:
    """What `action` will do where to a memory of a kind, in words (S-8)."""
    if adapter is not None and action in ("pin", "unpin") and "pinned" not in adapter.fields_of(kind):
        return "is kept in memtui" if "pinned" in adapter.fields else adapter.supports(action).words
    return (
        adapter.supports(action, name) if adapter is not None else native_store.supports(action, name)
    ).words


def kind_of(store: StoreRow) -> type[Adapter] | None:
    """The format of a stores row; None for our own store."""
    return None if store.format == NATIVE else registry.by_name(store.format)


def dismissal(kind: type[Adapter] | None) -> dict[str, Any]:
    """The fields of a memory that is dismissed, in a store of this format."""
    return {"status": "dismissed"} if kind is None else dict(kind.dismissal)


def former(ctx: Context, held: MirrorRow, kind: type[Adapter] | None) -> dict[str, Any]:
    """What the fields of a memory were before it was dismissed or superseded; where that is not known,
    the status that its numbers give."""
    row = ctx.db.rows(
        "SELECT b.before FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "JOIN item_states st ON st.item_id = i.id JOIN journal j ON j.id = i.journal_id "
        "WHERE i.memory_id = ? AND st.state = 'done' AND st.undone_by IS NULL "
        "AND (j.kind IN ('dismissed', 'superseded', 'decayed') "
        "OR (j.kind = 'resolved' AND json_valid(b.after) AND json_type(b.after, '$.status') IS NOT NULL) "
        # An agent's addition that was taken back, or a restoration.
        "OR (j.kind = 'undone' AND json_valid(b.after) AND b.after ->> '$.status' = 'dismissed')) "
        "ORDER BY i.id DESC LIMIT 1",
        (held.id,),
    )
    back = unbody(row[0][0]) if row else {}
    back = {name: value for name, value in back.items() if name not in NO_FIELDS}
    if not back.get("status"):
        # A format without a status counts as confirmed what is not dismissed.
        now = standing(held.memory.confidence, held.memory.times_confirmed)
        back["status"] = now if kind is None or now in kind.statuses else "confirmed"
    if held.memory.superseded_by is not None:
        back["superseded_by"] = None
    if kind is None and held.memory.status == "expired":  # else the next run would take it again
        back["last_confirmed_at"] = ctx.clock()
        if held.memory.expires_at is not None and held.memory.expires_at <= ctx.clock():
            back["expires_at"] = None
    return back


Changing = Callable[[MirrorRow, "type[Adapter] | None"], Mapping[str, Any]]
"""The fields that a verb sets in a memory, in a store of a format."""


def changing(held: MirrorRow, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in fields.items() if n == "here" or getattr(held.memory, n) != v}


def by_store(pieces: Sequence[ChangeItem]) -> list[list[ChangeItem]]:
    groups: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        groups.setdefault(piece.store.id, []).append(piece)
    return list(groups.values())


def prepare(ctx: Context, actions: Sequence[str], group: Sequence[ChangeItem]) -> None:
    """Part the fields of one store's pieces into the store's own and ours, and plan the store's."""
    try:
        adapter = ctx.adapter(group[0].store)
    except Refused as refusal:
        for piece in group:
            piece.refused = refusal
        return
    foreign: list[tuple[str, ChangeItem]] = []
    for action, piece in zip(actions, group, strict=True):
        piece.adapter = adapter
        action = _as_done(adapter, action, piece)
        theirs = _theirs(adapter, action, piece)
        piece.ours = {name: value for name, value in piece.after.items() if name not in theirs}
        if theirs:
            foreign.append((action, piece))
    if adapter is None or not foreign:
        return
    moved = [p for action, p in foreign if action == "restore" and p.held and p.held.moved is not None]
    back = set(map(id, moved))
    plain = [(action, p) for action, p in foreign if id(p) not in back]
    answers: list[Planned | Refused] = []
    try:
        gone = [p.held.memory.ref for _, p in plain if p.held and "here" in p.after]
        there = adapter.read_refs(gone) if gone else {}
        if plain:
            answers += adapter.plan([_write(ctx, adapter, action, p, there) for action, p in plain])
        if moved:
            answers += adapter.reverse(_plans_of(ctx, adapter, moved))
    except Refused as refusal:
        answers = [refusal for _ in foreign]
    except OSError as trouble:
        answers = [atomic_write.refusal(trouble) for _ in foreign]
    for piece, answer in zip([*(p for _, p in plain), *moved], answers, strict=True):
        if isinstance(answer, Planned):
            piece.plan = answer
        else:
            piece.refused = answer


def _theirs(adapter: Adapter | None, action: str, piece: ChangeItem) -> set[str]:
    """The fields that the change sets in the store itself."""
    fields = piece.after
    if adapter is None:
        return set()
    if RELATION in fields:  # without a link it is memtui's own
        return {RELATION} if piece.link is not None else set()
    if action in ("dismiss", "restore", "supersede"):
        native = "here" in fields or _is_native(adapter, action)
        return set(fields) - OURS if native else set()
    can = adapter.fields_of(piece.held.memory.kind if piece.held is not None else "item")
    return {name for name in fields if name in can}


def _as_done(adapter: Adapter | None, action: str, piece: ChangeItem) -> str:
    """One that gives way is dismissed as its format does, where that has no way of its own or knows
    nothing of what it gives way to."""
    own = adapter is None or (piece.link is not None and _is_native(adapter, action))
    return "dismiss" if action == "supersede" and not own else action


def _is_native(adapter: Adapter, action: str) -> bool:
    return adapter.supports(action).how is not How.WORKSPACE


def _write(
    ctx: Context, adapter: Adapter, action: str, piece: ChangeItem, there: Mapping[str, Record]
) -> Write:
    assert piece.held is not None
    memory = piece.held.memory
    if "here" in piece.after and memory.ref not in there:
        # Another hand took it out, whole: it is added again.
        names = adapter.fields | adapter.restorable_fields
        said = {name: getattr(memory, name) for name in names if getattr(memory, name) is not None}
        return Write("add", "", {"title": memory.title, **said}, {}, ctx.clock())
    fields = {n: v for n, v in piece.after.items() if n not in piece.ours and n not in ("here", RELATION)}
    seen = {name: piece.before[name] for name in fields}
    if action == "dismiss" and adapter.supports(action).how is How.MOVED:
        # The whole memory goes, so all of it that a person reads must be as it was read.
        seen = {name: getattr(memory, name) for name in adapter.fields & {"content", "title"}}
    return Write(action, memory.ref, fields, seen, ctx.clock(), piece.link, ctx.actor, was=piece.was)


def _plans_of(ctx: Context, adapter: Adapter, pieces: Sequence[ChangeItem]) -> list[Planned]:
    """The plans that took these memories out of their store."""
    held = [piece.held for piece in pieces if piece.held is not None]
    items = [each.moved for each in held if each.moved is not None]
    since = past(ctx, pieces[0].store, adapter, {item: item for item in items})
    plans: list[Planned] = []
    for item in items:
        text = ctx.db.one("SELECT plan FROM outbox WHERE item_id = ?", (item,))
        if text is None:
            raise Refused("erased", "Its text was erased; it cannot be put back.")
        plans.append(adapter.without(planned(adapter, text), since))
    return renamed.with_current_names(ctx.db, adapter, plans, held)
