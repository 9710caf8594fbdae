"""What a person does to memories: each verb works out its items and runs them as one unit (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from memtui.errors import Conflict, NotSaved, Refused
from memtui.formats.contract.adapter import Adapter, Planned, Write, clean
from memtui.formats.media.files import atomic_write
from memtui.memory.lifecycles.confirmation import confirmed
from memtui.memory.memory import EDITABLE, LISTS
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import outbox
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import (
    Changing,
    blocked,
    by_store,
    changing,
    dismissal,
    former,
    kind_of,
    prepare,
)
from memtui.workspace.changes.summaries import KINDS, change_of, summary
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.journal.items import NO_FIELDS
from memtui.workspace.mirror import memory_rows
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.relations import dismissal_effects
from memtui.workspace.stores import catalog
from memtui.workspace.sync.pull import pull

READINGS = 3  # of a store that is written all the time, before a change is refused


def pin(ctx: Context, ids: Sequence[int], why: str) -> Change:
    return _run(
        ctx, "pin", ids, lambda *_: {"pinned": True, "pinned_by": ctx.actor, "pinned_why": why or None}
    )


def unpin(ctx: Context, ids: Sequence[int]) -> Change:
    return _run(ctx, "unpin", ids, lambda *_: {"pinned": False, "pinned_by": None, "pinned_why": None})


def confirm(ctx: Context, ids: Sequence[int]) -> Change:
    return _run(
        ctx,
        "confirm",
        ids,
        lambda held, kind: confirmed(held.memory, ctx.clock(), kind.lifecycle if kind else "memtui"),
    )


def dismiss(ctx: Context, ids: Sequence[int]) -> Change:
    leaving = memory_rows.held(ctx.db, ids) if len(ids) <= dismissal_effects.MOST else []
    stores = store_rows.by_id(ctx.db) if leaving else {}
    words = {held.id: held for held in leaving if not blocked(ctx, "dismiss", held, stores[held.store_id])}
    told = dismissal_effects.words(ctx, list(words.values()), stores)
    change = _run(ctx, "dismiss", ids, lambda _, kind: dismissal(kind))
    whole = told and len(change.ids) == len(words)
    return replace(change, summary=f"{change.summary}; {told}") if whole else change


def restore(ctx: Context, ids: Sequence[int]) -> Change:
    """Dismissed ones as their format does; those that another hand removed are put back."""

    def back(held: MirrorRow, kind: type[Adapter] | None) -> dict[str, Any]:
        return {"here": True} if held.removed_at is not None else former(ctx, held, kind)

    return _run(ctx, "restore", ids, back)


def edit(
    ctx: Context,
    ids: Sequence[int],
    fields: Mapping[str, Any],
    seen: Mapping[str, Any] | None,
    retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
) -> Change:
    """Set fields; with `seen`, only where the memory still says what the person had before them. `retag`
    makes each memory's tags of those that it has."""
    wanted = _tidy(fields)

    def changed(held: MirrorRow, kind: type[Adapter] | None) -> dict[str, Any]:
        now = {name: getattr(held.memory, name) for name in seen or {}}
        theirs = {name: value for name, value in now.items() if seen and value != seen[name]}
        if theirs:
            yours = {name: wanted[name] for name in theirs if name in wanted}
            raise Conflict("the memory changed since it was read.", yours, theirs)
        more = _tidy({"tags": retag(held.memory.tags)}) if retag is not None else {}
        return _edited(ctx, held, {**wanted, **more})

    return _run(ctx, "edit", ids, changed)


def add(ctx: Context, fields: Mapping[str, Any], store_name: str) -> Change:
    """A new memory by a person; in our own store confirmed from the start, at 0.5."""
    ctx.writable()
    wanted = _tidy(fields)
    if not str(wanted.get("content") or "").strip():
        raise Refused("empty", "Nothing was added: the memory has no text.", "Give it some.")
    store = catalog.named(ctx, store_name)
    if why := catalog.locked(store):
        raise Refused("read-only", why, "Nothing was added.")
    adapter = ctx.adapter(store)
    piece = ChangeItem(None, store, {"here": False}, {"here": True, **wanted}, adapter=adapter)
    if adapter is None:
        now = ctx.clock()
        piece.after |= {
            "status": "confirmed",
            "confidence": 0.5,
            "source_type": "user",
            "created_at": now,
            "updated_at": now,
        }
        piece.ours = dict(piece.after)
    else:
        can = adapter.fields_of("item") | adapter.restorable_fields
        lacking = {name: value for name, value in wanted.items() if name not in can}
        piece.ours = lacking
        _plan_add(ctx, [piece], wanted)
        if piece.refused is not None:
            raise piece.refused
    done = outbox.run(
        ctx,
        "added",
        summary("add", [piece]),
        [piece],
        again=lambda group: _plan_add(ctx, group, wanted),
    )
    return change_of("add", done, [])


def _plan_add(ctx: Context, group: Sequence[ChangeItem], wanted: Mapping[str, Any]) -> None:
    (piece,) = group
    assert piece.adapter is not None
    answer: Planned | Refused
    try:
        (answer,) = piece.adapter.plan([Write("add", "", wanted, {}, ctx.clock())])
    except Refused as refusal:
        answer = refusal
    except OSError as trouble:
        answer = atomic_write.refusal(trouble)
    if isinstance(answer, Refused):
        piece.refused = answer
    else:
        piece.plan = answer


# -- why not, and what it will do


# -- the mechanism


def _run(ctx: Context, action: str, ids: Sequence[int], change: Changing) -> Change:
    ctx.writable()
    found = memory_rows.held(ctx.db, ids)
    if not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    stores = store_rows.by_id(ctx.db)
    pieces: list[ChangeItem] = []
    skipped: list[Skipped] = []
    for held in found:
        store = stores[held.store_id]
        why = blocked(ctx, action, held, store)
        fields = {} if why else changing(held, change(held, kind_of(store)))
        if why or not fields:
            skipped.append(
                Skipped(held.memory.uid, held.label, "blocked", why or "Nothing in it would change.")
            )
            continue
        before = {name: False if name == "here" else getattr(held.memory, name) for name in fields}
        pieces.append(ChangeItem(held, stores[held.store_id], before, dict(fields)))
    return carry_out(ctx, action, pieces, skipped)


def carry_out(ctx: Context, action: str, pieces: Sequence[ChangeItem], skipped: Sequence[Skipped]) -> Change:
    """Plan the pieces of one verb and run them as one unit; Refused where none of it can be done."""
    if not pieces:
        first = skipped[0]
        more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
        raise Refused(first.code, f"{first.why}{more}", "Nothing was changed.")
    for left in reversed(range(READINGS)):
        for group in by_store(pieces):
            prepare(ctx, [action] * len(group), group)
        if not _read_again(ctx, action, pieces, anew=left > 0):
            break
    done = outbox.run(
        ctx,
        KINDS[action][0],
        summary(action, pieces),
        pieces,
        again=lambda group: prepare(ctx, [action] * len(group), group),
    )
    _read_again(ctx, action, done.pieces, anew=False)
    return change_of(action, done, skipped)


def _read_again(ctx: Context, action: str, pieces: Sequence[ChangeItem], *, anew: bool) -> bool:
    """Where stores are no longer as they were read, read them again: a conflict then names what the very
    memory says now. With `anew`, what still says what it did is no conflict; whether there is such, to be
    planned anew."""
    torn = [piece for piece in pieces if isinstance(piece.refused, Conflict) and piece.held is not None]
    for store in {piece.store.id: piece.store for piece in torn}.values():
        with suppress(Refused):  # the conflict is what to report
            pull(ctx, store)
    now = {
        each.id: each for each in memory_rows.held(ctx.db, [p.held.id for p in torn if p.held is not None])
    }
    stands = False
    for piece in torn:
        assert piece.held is not None
        assert isinstance(piece.refused, Conflict)
        fresh, old = now.get(piece.held.id), piece.held
        if fresh is None or fresh.removed_at is not None:
            continue
        names = {*piece.before} | ({"content", "title"} if action == "dismiss" else set())
        theirs = {
            name: value
            for name in names - NO_FIELDS
            if (value := getattr(fresh.memory, name)) != getattr(old.memory, name)
        }
        if theirs:
            yours = {name: piece.after.get(name) for name in theirs}
            piece.refused = Conflict(piece.refused.why, yours, theirs)
        elif anew and fresh != old:
            piece.held, piece.refused, stands = fresh, None, True
    return stands


def _tidy(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as they may be stored: no NUL, no lone surrogate, lists as tuples; Refused if not editable."""
    out: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in EDITABLE:
            raise Refused("no-field", f"{name} cannot be edited.", f"Fields are {', '.join(EDITABLE)}.")
        if name in LISTS:
            out[name] = tuple(dict.fromkeys(clean(part).strip() for part in value if part.strip()))
        else:
            text = clean(value or "")
            out[name] = text if name == "content" else text.strip() or None
    return out


def _edited(ctx: Context, held: MirrorRow, wanted: Mapping[str, Any]) -> dict[str, Any]:
    fields = changing(held, wanted)
    if "content" in fields and not fields["content"].strip():
        raise NotSaved("empty", "the memory would be empty.", "Dismiss it instead.")
    if fields and held.memory.store == NATIVE:
        fields["updated_at"] = ctx.clock()
    return fields
