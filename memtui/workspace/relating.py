"""Relations between memories, and one memory giving way to another (SPEC 7, S-8).

A relation stands in the store where both are in one that can hold it, else with the memory that it
leads from, in the workspace (`ties`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memtui.errors import Refused
from memtui.formats.base import Adapter, How, Link, clean
from memtui.memory.records import Change, Skipped, Tying, label_of
from memtui.workspace import curate, mirror
from memtui.workspace.core import NATIVE, Core
from memtui.workspace.curate import RELATION, blocked, carry_out
from memtui.workspace.mirror import Held
from memtui.workspace.outbox import Piece

SUPERSEDES = "supersedes"  # the kind by which a memory gives way
KINDS = ("supports", "contradicts", "refines", "rests on", "relates to", SUPERSEDES)
_LENGTH = 60  # characters of a relation's kind


def choices(core: Core, id: int, other: int, typed: str = "") -> list[Tying]:
    """The kinds of relation that one memory may have to another, each with what it would do where; with
    `typed`, those that begin so, and that one itself. One that stands already would be taken away."""
    source, target = _both(core, id, other)
    store = core.t.Store.get_by_id(source.store_id)
    adapter = _may(core, source, store)
    native = adapter.relation_kinds if adapter is not None and source.store_id == target.store_id else ()
    kinds = [*native, *(kind for kind in KINDS if _as_spelled(adapter, kind) not in native)]
    typed = " ".join(clean(typed).split())
    if typed:
        begun = [kind for kind in kinds if kind.casefold().startswith(typed.casefold())]
        kinds = begun if any(kind.casefold() == typed.casefold() for kind in begun) else [*begun, typed]
    there = _standing(core, source, target)
    return [_told(adapter, source, target, kind, there) for kind in kinds]


def _told(adapter: Adapter | None, source: Held, target: Held, kind: str, there: set[str]) -> Tying:
    kind = _as_spelled(adapter, kind)
    if kind == SUPERSEDES:
        return Tying(kind, "the other one gives way: it is superseded, or dismissed as its store does it")
    if _is_native(adapter, source, target, "relate", kind):
        assert adapter is not None
        return Tying(kind, adapter.supports("relate", kind).words, kind in there)
    words = "is kept in memtui"
    if adapter is not None and source.store_id == target.store_id:
        words = adapter.supports("relate", kind).words
    elif source.store_id != target.store_id:
        words += ": the two stand in different stores"
    return Tying(kind, words, kind in there)


def _standing(core: Core, source: Held, target: Held) -> set[str]:
    """The kinds by which one leads to the other already."""
    kept = {tie["kind"] for tie in source.memory.ties if tie["to"] == target.memory.uid}
    if source.store_id != target.store_id or not source.anchor:
        return kept
    rows = core.db.rows(
        "SELECT kind FROM relations WHERE store_id = ? AND source = ? AND target = ?",
        (source.store_id, source.anchor, target.anchor),
    )
    return kept | {kind for (kind,) in rows}


def relate(
    core: Core,
    id: int,
    kind: str,
    other: int,
    *,
    strength: float | None = None,
    context: str = "",
    body: str = "",
) -> Change:
    """Say that one memory has a relation to another; `strength` 0–1, `context` a line, `body` a text."""
    source, target = _both(core, id, other)
    kind = " ".join(clean(kind).split())
    if kind.casefold() == SUPERSEDES:
        return supersede(core, [other], id, clean(context or body))
    if not kind or len(kind) > _LENGTH:
        raise Refused("kind", f"A relation's kind has 1 to {_LENGTH} characters.", "Nothing was changed.")
    if strength is not None:
        strength = min(1.0, max(0.0, strength))
    store = core.t.Store.get_by_id(source.store_id)
    adapter = _may(core, source, store)
    kind = _as_spelled(adapter, kind)
    if _is_native(adapter, source, target, "relate", kind):
        _may(core, target, store)
        link = Link(source.anchor, kind, target.anchor, strength, clean(context), clean(body))
        after = {"kind": kind, "to": target.memory.uid}
        piece = Piece(source, store, {RELATION: None}, {RELATION: after}, link=link)
        return carry_out(core, "relate", [piece], [])
    tie: dict[str, Any] = {"kind": kind, "to": target.memory.uid}
    more = {"strength": strength, "context": clean(context), "body": clean(body)}
    tie |= {name: value for name, value in more.items() if value not in (None, "")}
    if any((each["kind"], each["to"]) == (kind, target.memory.uid) for each in source.memory.ties):
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    piece = Piece(source, store, {RELATION: None}, {RELATION: tie})
    return carry_out(core, "relate", [piece], [])


def unrelate(core: Core, id: int, kind: str, other: int) -> Change:
    """Take a relation from one memory to another away."""
    source, target = _both(core, id, other)
    store = core.t.Store.get_by_id(source.store_id)
    adapter = _may(core, source, store)
    for tie in source.memory.ties:
        if (tie["kind"], tie["to"]) == (kind, target.memory.uid):
            piece = Piece(source, store, {RELATION: tie}, {RELATION: None})
            return carry_out(core, "unrelate", [piece], [])
    kind = _as_spelled(adapter, kind)
    told = core.db.rows(
        "SELECT strength, context, body FROM relations WHERE store_id = ? AND source = ? AND kind = ? "
        "AND target = ? LIMIT 1",
        (store.id, source.anchor, kind, target.anchor),
    )
    if source.store_id != target.store_id or not told:
        raise Refused("no-relation", f"There is no relation “{kind}” from one to the other.")
    if not _is_native(adapter, source, target, "unrelate", kind):
        assert adapter is not None
        raise Refused(
            "unsupported",
            f"{adapter.title} tells this relation in its own way; memtui cannot take it away.",
            "Nothing was changed. Edit the memory's text instead.",
        )
    link = Link(source.anchor, kind, target.anchor, *told[0])
    before = {"kind": kind, "to": target.memory.uid}
    piece = Piece(source, store, {RELATION: before}, {RELATION: None}, link=link)
    return carry_out(core, "unrelate", [piece], [])


def supersede(core: Core, ids: Sequence[int], winner: int, context: str = "") -> Change:
    """Let memories give way to another one: as their format does it, else they are dismissed and what
    they gave way to stands in memtui."""
    core.writable()
    by = mirror.held(core.db, [winner])
    found = mirror.held(core.db, ids)
    if not by or not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    stores = {store.id: store for store in core.t.Store.select()}
    first = by[0].memory
    if by[0].removed_at is not None or first.status in curate.GONE:
        raise Refused("gone", "What others give way to must stand itself.", "Restore it first.")
    pieces: list[Piece] = []
    skipped: list[Skipped] = []
    for held in found:
        store = stores[held.store_id]
        why = blocked(core, "supersede", held, store)
        if held.id == winner:
            why = "A memory cannot give way to itself."
        if why:
            label = label_of(held.memory.title, held.memory.subject, held.memory.content)
            skipped.append(Skipped(held.memory.uid, label, "blocked", why))
            continue
        same = held.store_id == by[0].store_id
        link = Link(by[0].anchor, SUPERSEDES, held.anchor, context=context) if same else None
        after = _superseded(core, store, link) | {"superseded_by": first.uid}
        before = {name: getattr(held.memory, name) for name in after}
        pieces.append(Piece(held, store, before, after, link=link))
    return carry_out(core, "supersede", pieces, skipped)


def _superseded(core: Core, store: Any, link: Link | None) -> dict[str, Any]:
    """What the fields of one that gives way become; a format's own way knows only its own memories."""
    adapter = core.adapter(store)
    if adapter is None:
        return {"status": "superseded"}
    native = link is not None and adapter.supports("supersede").how is not How.WORKSPACE
    return dict(adapter.supersession if native else adapter.dismissal)


def _both(core: Core, id: int, other: int) -> tuple[Held, Held]:
    core.writable()
    found = {held.id: held for held in mirror.held(core.db, [id, other])}
    if id == other:
        raise Refused("same", "A memory has no relation to itself.", "Nothing was changed.")
    if len(found) < 2:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    return found[id], found[other]


def _may(core: Core, held: Held, store: Any) -> Adapter | None:
    """The store's adapter, if the memory may be changed there."""
    if why := blocked(core, "relate", held, store):
        raise Refused("blocked", why, "Nothing was changed.")
    return None if store.format == NATIVE else core.adapter(store)


def _as_spelled(adapter: Adapter | None, kind: str) -> str:
    """The kind as the format spells it."""
    known = () if adapter is None else adapter.relation_kinds
    plain = kind.casefold().replace("-", "_").replace(" ", "_")
    return next((each for each in known if each.casefold() == plain), kind)


def _is_native(adapter: Adapter | None, source: Held, target: Held, action: str, kind: str) -> bool:
    return (
        adapter is not None
        and source.store_id == target.store_id
        and bool(source.anchor and target.anchor)
        and adapter.supports(action, kind).how is How.NATIVE
    )
