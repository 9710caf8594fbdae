"""Copying and moving memories between stores, and what the target cannot hold (S-8, S-82).

A copy is added in the target as its format can hold it; what the format lacks goes to the workspace.
A move takes the original out of its store once the copy stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memtui.errors import Refused
from memtui.formats.contract.adapter import Adapter, Fitted, How, Planned, Write
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import DEFAULTS, TIMES
from memtui.memory.results import Change, Skipped, TransferPreview, TransferResult
from memtui.text import counted
from memtui.workspace.changes import change_item, outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import blocked
from memtui.workspace.context import Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.stores import catalog

# What says something of the memory itself; where it stands, what its store counts and when memtui saw
# it belong to the place.
CARRIED = (
    *("kind", "category", "key", "subject", "title", "content", "value", "tags", "importance", "confidence"),
    *("status", "pinned", "owner", "scope", "session_id", "tier", "times_used", "times_confirmed"),
    *("source_type", "source_ref", "source_excerpt", "company_id", "event_time", "valid_from", "valid_to"),
    *("expires_at", "created_at", "last_used_at", "last_confirmed_at"),
    *("steps", "preconditions", "postconditions", "key_facts", "tone", "token_count"),
    *("note", "pinned_by", "pinned_why"),
)
# What a store without a field for it is not asked to have kept beside it: there every memory counts
# as confirmed, and how a store came to know of a memory is its own affair.
_LEFT = frozenset({"status", "kind"})


def preview(ctx: Context, ids: Sequence[int], store_name: str) -> list[TransferPreview]:
    """What the store would hold of each of these memories; changes nothing."""
    store = catalog.named(ctx, store_name)
    adapter = ctx.adapter(store)
    stores = store_rows.by_id(ctx.db)
    told: list[TransferPreview] = []
    for held in memory_rows.held(ctx.db, ids):
        why = _not(ctx, held, stores[held.store_id], store, move=False)
        if why and len(ids) == 1:
            raise Refused("blocked", why, "Nothing was changed.")
        said = _told(ctx, held, adapter, _fitted(adapter, held))
        told.append(replace(said, changed={}, kept=(), lost=(f"all of it: {why}",)) if why else said)
    return told


def carry(ctx: Context, ids: Sequence[int], store_name: str, *, move: bool) -> TransferResult:
    """Copy (or move) memories into a store, as one unit; Refused where none can be."""
    ctx.writable()
    store = catalog.named(ctx, store_name)
    if why := catalog.locked(store):
        raise Refused("read-only", why, "Nothing was changed.")
    adapter = ctx.adapter(store)
    found = memory_rows.held(ctx.db, ids)
    if not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    stores = store_rows.by_id(ctx.db)
    skipped: list[Skipped] = []
    added: list[ChangeItem] = []
    wanted: list[MirrorRow] = []
    for held in found:
        why = _not(ctx, held, stores[held.store_id], store, move)
        if why:
            skipped.append(Skipped(held.memory.uid, held.label, "blocked", why))
        else:
            wanted.append(held)
            added.append(_added(ctx, held, store, adapter))
    if not added:
        more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
        raise Refused(skipped[0].code, f"{skipped[0].why}{more}", "Nothing was changed.")
    _plan_adds(ctx, adapter, added)
    leaving = _leaving(ctx, wanted, stores, added) if move else []
    pairs = {id(piece): held for piece, held in zip(added, wanted, strict=True)}

    def again(group: Sequence[ChangeItem]) -> None:
        adds = [piece for piece in group if id(piece) in pairs]
        if adds:
            _plan_adds(ctx, adapter, adds)
        else:
            _plan_leaving(ctx, group)

    verb = "moved" if move else "copied"
    summary = f"{verb.capitalize()} {_count(len(added))} to {store.name}"
    done = outbox.run(ctx, verb, summary, [*added, *leaving], again=again)
    stay = {id(piece.needs) for piece in leaving if piece.refused is not None}
    whole = [piece for piece in added if piece.refused is None and id(piece) not in stay]
    return _outcome(ctx, done, verb, store, adapter, added, whole, wanted, skipped)


def _not(ctx: Context, held: MirrorRow, source: Any, target: StoreRow, move: bool) -> str:
    """Why a memory cannot be carried; empty if it can."""
    if source.id == target.id:
        return f"It stands in {target.name} already."
    why = blocked(ctx, "copy", held, source)
    # To read what is copied, its store need not be writable.
    return why if move or not catalog.locked(source) else ""


def _fitted(adapter: Adapter | None, held: MirrorRow) -> Fitted:
    said = {name: getattr(held.memory, name) for name in CARRIED}
    said = {name: value for name, value in said.items() if value != DEFAULTS[name] or name == "status"}
    return Fitted(said) if adapter is None else adapter.fit(said)


def _ours(adapter: Adapter | None, held: MirrorRow, fitted: Fitted) -> dict[str, Any]:
    """What the workspace keeps beside the copy."""
    if adapter is None:
        return {}
    left = {
        name: getattr(held.memory, name)
        for name in CARRIED
        if name not in fitted.fields and name not in fitted.changed and name not in _LEFT
    }
    return {name: value for name, value in left.items() if value != DEFAULTS[name]}


def _added(ctx: Context, held: MirrorRow, store: StoreRow, adapter: Adapter | None) -> ChangeItem:
    fitted = _fitted(adapter, held)
    fields = dict(fitted.fields)
    ours = _ours(adapter, held, fitted)
    piece = ChangeItem(None, store, {"here": False}, {"here": True, **fields, **ours}, adapter=adapter)
    if adapter is None:
        piece.after.setdefault("updated_at", ctx.clock())
        piece.ours = dict(piece.after)
    else:
        piece.ours = ours
        piece.fields = fields
    return piece


def _plan_adds(ctx: Context, adapter: Adapter | None, pieces: Sequence[ChangeItem]) -> None:
    if adapter is None:
        return
    now = ctx.clock()
    answers: Sequence[Planned | Refused]
    try:
        answers = adapter.plan([Write("add", "", p.fields, {}, now, who=ctx.actor) for p in pieces])
    except Refused as refusal:
        answers = [refusal for _ in pieces]
    except OSError as trouble:
        answers = [atomic_write.refusal(trouble) for _ in pieces]
    _take(pieces, answers)


def _take(pieces: Sequence[ChangeItem], answers: Sequence[Planned | Refused]) -> None:
    for piece, answer in zip(pieces, answers, strict=True):
        if isinstance(answer, Planned):
            piece.plan = answer
        else:
            piece.refused = answer


# -- out of its own store


def _leaving(
    ctx: Context, wanted: Sequence[MirrorRow], stores: Mapping[int, StoreRow], added: Sequence[ChangeItem]
) -> list[ChangeItem]:
    """The pieces that take the originals out, each once its copy stands."""
    pieces: list[ChangeItem] = []
    for held, copy in zip(wanted, added, strict=True):
        source = stores[held.store_id]
        piece = ChangeItem(held, source, {"here": True}, {"here": False}, needs=copy, pair=copy)
        piece.adapter = ctx.adapter(source)
        if piece.adapter is None:
            piece.ours = {"here": False}
        if copy.refused is not None:
            piece.refused = Refused("needs", f"Left as it is: {copy.refused.message}")
        pieces.append(piece)
    groups: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        if piece.adapter is not None and piece.refused is None:
            groups.setdefault(piece.store.id, []).append(piece)
    for group in groups.values():
        _plan_leaving(ctx, group)
    for piece, copy in zip(pieces, added, strict=True):
        if piece.refused is not None and copy.refused is None:
            # What cannot leave is not doubled either.
            copy.refused = Refused("needs", f"Not moved: {piece.refused.message}", "Copy it instead.")
    return pieces


def _plan_leaving(ctx: Context, group: Sequence[ChangeItem]) -> None:
    adapter = group[0].adapter
    assert adapter is not None
    writes = [_out(ctx, adapter, piece.held) for piece in group if piece.held is not None]
    answers: Sequence[Planned | Refused]
    try:
        answers = adapter.plan(writes)
    except Refused as refusal:
        answers = [refusal for _ in group]
    except OSError as trouble:
        answers = [atomic_write.refusal(trouble) for _ in group]
    _take(group, [replace(a, ref_after=None) if isinstance(a, Planned) else a for a in answers])


def _out(ctx: Context, adapter: Adapter, held: MirrorRow) -> Write:
    names = (adapter.fields & {"content", "title"}) - held.kept.keys()
    seen = {name: getattr(held.memory, name) for name in names}
    moved = adapter.supports("dismiss").how is How.MOVED
    action, fields = ("dismiss", {"status": "dismissed"}) if moved else ("delete", {})
    return Write(action, held.memory.ref, fields, seen, ctx.clock(), who=ctx.actor)


# -- in words


def _outcome(
    ctx: Context,
    done: change_item.Done,
    verb: str,
    store: StoreRow,
    adapter: Adapter | None,
    added: Sequence[ChangeItem],
    whole: Sequence[ChangeItem],
    wanted: Sequence[MirrorRow],
    skipped: list[Skipped],
) -> TransferResult:
    good = [piece for piece in added if piece.refused is None]
    if not good:
        refusal = added[0].refused
        assert refusal is not None
        raise refusal
    now = {held.id: held for held in memory_rows.held(ctx.db, [piece.memory_id for piece in good])}
    told: list[TransferPreview] = []
    for piece, held in zip(added, wanted, strict=True):
        if piece.refused is not None:
            skipped.append(Skipped(held.memory.uid, held.label, piece.refused.code, piece.refused.message))
        elif piece.memory_id in now:
            copy = now[piece.memory_id]
            asked = _fitted(adapter, held).changed
            told.append(replace(_compared(ctx, held, copy, asked), copy_uid=copy.memory.uid))
    for piece in done.pieces:
        if piece.needs is not None and piece.refused is not None and piece.needs.refused is None:
            assert piece.held is not None
            why = f"It was copied, but stays in {piece.store.name}, too: {piece.refused.message}"
            skipped.append(Skipped(piece.held.memory.uid, piece.held.label, piece.refused.code, why))
    where = f"to {store.name}"
    if adapter is not None:
        where += f" ({adapter.written([piece.plan for piece in good if piece.plan is not None][:3])})"
    of = "" if not skipped else f" of {len(added) + sum(s.code == 'blocked' for s in skipped):,}"
    summary = f"{verb.capitalize()} {_count(len(whole), of)} {where}{done.ending}"
    change = Change(verb, tuple(p.memory_id for p in good), summary, done.line, tuple(skipped))
    return TransferResult(change, tuple(told))


def _told(ctx: Context, held: MirrorRow, adapter: Adapter | None, fitted: Fitted) -> TransferPreview:
    """What a copy would say otherwise, before it is made."""
    kept = tuple(_ours(adapter, held, fitted))
    left = () if adapter is None else _lost(held, fitted.fields)
    return TransferPreview(held.memory.uid, held.label, fitted.changed, kept, (*left, *_beside(ctx, held)))


def _compared(ctx: Context, held: MirrorRow, copy: MirrorRow, asked: Mapping[str, Any]) -> TransferPreview:
    """What became of a memory in another store, read from there; `asked` are the fields that its format
    wanted otherwise."""
    changed: dict[str, tuple[Any, Any]] = {}
    lost: list[str] = []
    for name in CARRIED:
        was, now = getattr(held.memory, name), getattr(copy.memory, name)
        if name in copy.kept or was == now or (was == DEFAULTS[name] and name not in asked):
            continue
        if name in TIMES and was is not None and now is not None and abs(was - now) < 1:
            continue  # a store may keep whole seconds
        if now == DEFAULTS[name]:
            lost.append(name)
        else:
            changed[name] = (was, now)
    lost += ["extra " + name for name in held.memory.extra]
    kept = tuple(name for name in CARRIED if name in copy.kept)
    return TransferPreview(held.memory.uid, held.label, changed, kept, (*lost, *_beside(ctx, held)))


def _lost(held: MirrorRow, fields: Mapping[str, Any]) -> list[str]:
    lost = [n for n in _LEFT if n not in fields and getattr(held.memory, n) != DEFAULTS[n]]
    return [*sorted(lost), *("extra " + name for name in held.memory.extra)]


def _beside(ctx: Context, held: MirrorRow) -> list[str]:
    """What stands with a memory in its store and does not go along."""
    out = []
    for table, where, one, many in (
        ("relations", "source = ?2 OR target = ?2", "relation", "relations"),
        ("side_records", "via = '' AND about = ?2", "record beside it", "records beside it"),
    ):
        sql = f"SELECT count(*) FROM {table} WHERE store_id = ?1 AND ({where})"
        number = ctx.db.one(sql, (held.store_id, held.anchor)) if held.anchor else 0
        if number:
            out.append(counted(number, one, many))
    ties = ctx.db.one(
        "SELECT count(*) FROM local_relations WHERE source_id = ? OR target = ?", (held.id, held.memory.uid)
    )
    if ties:
        out.append(f"{counted(ties, 'relation')} kept in memtui")
    return out


def _count(number: int, of: str = "") -> str:
    return f"{number:,}{of} {'memory' if number == 1 and not of else 'memories'}"
