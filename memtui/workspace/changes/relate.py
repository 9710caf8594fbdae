"""Relations between memories, and one memory giving way to another (SPEC 7, S-8).

A relation stands in the store where both are in one that can hold it, else with the memory that it
leads from, in the workspace (`ties`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import Adapter, How, Link, clean
from memtui.memory.memory import label_of
from memtui.memory.relations import SAYS, RelationOption, RelationSpec
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import planning
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import blocked
from memtui.workspace.changes.verbs import carry_out
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.items import BESIDE, RELATION
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.mirror.memory_rows import MirrorRow
from memtui.workspace.mirror.relation_overrides import Note, Said

SUPERSEDES = "supersedes"  # the kind by which a memory gives way
KINDS = ("supports", "contradicts", "refines", "rests on", "relates to", SUPERSEDES)
_LENGTH = 60  # characters of a relation's kind
_OFFERED = 12  # kinds that a store uses
_USED = (
    "SELECT kind FROM (SELECT kind, store_id FROM relations ORDER BY id DESC LIMIT 5000) "
    "WHERE store_id = ? AND kind <> '' AND length(kind) <= ? "
    "GROUP BY kind ORDER BY count(*) DESC, kind LIMIT ?"
)


def choices(ctx: Context, id: int, other: int, typed: str = "") -> list[RelationOption]:
    """The kinds of relation that one memory may have to another, each with what it would do where; with
    `typed`, those that begin so, and that one itself. One that stands already would be taken away."""
    source, target = both(ctx, id, other)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = may(ctx, source, store)
    same = adapter is not None and source.store_id == target.store_id
    native = adapter.relation_kinds if adapter is not None and same else ()
    if same and not native:  # the store's own words first
        native = _used(ctx, source.store_id)
    kinds = [*native, *(kind for kind in KINDS if as_spelled(adapter, kind) not in native)]
    typed = " ".join(clean(typed).split())
    if typed:
        begun = [kind for kind in kinds if kind.casefold().startswith(typed.casefold())]
        kinds = begun if any(kind.casefold() == typed.casefold() for kind in begun) else [*begun, typed]
    there = _standing(ctx, source, target)
    return [_told(adapter, source, target, kind, there) for kind in kinds]


def _used(ctx: Context, store_id: int) -> tuple[str, ...]:
    """The kinds that a store has used of late, the most used first."""
    rows = ctx.db.rows(_USED, (store_id, _LENGTH, _OFFERED))
    return tuple(kind for (kind,) in rows)


def _told(
    adapter: Adapter | None, source: MirrorRow, target: MirrorRow, kind: str, there: set[str]
) -> RelationOption:
    kind = as_spelled(adapter, kind)
    if kind == SUPERSEDES:
        words = "the other one gives way: it is superseded, or dismissed as its store does it"
        return RelationOption(kind, words, takes_reason=_has_words(adapter, source, target))
    if is_native(adapter, source, target, "relate", kind):
        assert adapter is not None
        why = "" if "context" in adapter.relation_says else "The why is kept in memtui."
        return RelationOption(kind, adapter.supports("relate", kind).words, kind in there, why)
    words = "is kept in memtui"
    if adapter is not None and source.store_id == target.store_id:
        words = adapter.supports("relate", kind).words
    elif source.store_id != target.store_id:
        words += ": the two stand in different stores"
    return RelationOption(kind, words, kind in there)


def _has_words(adapter: Adapter | None, source: MirrorRow, target: MirrorRow) -> bool:
    """Whether a store holds why a memory gave way to another."""
    same = adapter is not None and source.store_id == target.store_id and bool(source.anchor)
    if adapter is None or not same:
        return False
    return adapter.supports("supersede").how is How.NATIVE and "context" in adapter.relation_says


def _standing(ctx: Context, source: MirrorRow, target: MirrorRow) -> set[str]:
    """The kinds by which one leads to the other already."""
    kept = {tie["kind"] for tie in source.memory.ties if tie["to"] == target.memory.uid}
    if source.store_id != target.store_id or not source.anchor:
        return kept
    rows = ctx.db.rows(
        "SELECT kind FROM relations WHERE store_id = ? AND source = ? AND target = ?",
        (source.store_id, source.anchor, target.anchor),
    )
    return kept | {kind for (kind,) in rows}


def relate(
    ctx: Context,
    id: int,
    kind: str,
    other: int,
    *,
    strength: float | None = None,
    context: str = "",
    body: str = "",
) -> Change:
    """Say that one memory has a relation to another; `strength` 0–1, `context` a line, `body` a text."""
    source, target = both(ctx, id, other)
    kind = checked(kind)
    store = store_rows.get(ctx.db, source.store_id)
    if strength is not None:
        strength = min(1.0, max(0.0, strength))
    context, body = clean(context), clean(body)
    if kind.casefold() == SUPERSEDES:
        return supersede(ctx, [other], id, context or body)
    adapter = may(ctx, source, store)
    kind = as_spelled(adapter, kind)
    if is_native(adapter, source, target, "relate", kind):
        assert adapter is not None
        may(ctx, target, store)
        said = strength, context.strip(), body.strip()
        link = Link(source.anchor, kind, target.anchor, *relation_overrides.own(adapter, said))
        after = {"kind": kind, "to": target.memory.uid}
        piece = ChangeItem(source, store, {RELATION: None}, {RELATION: after}, link=link)
        come = relation_overrides.beside(adapter, way(link), said)
        note(ctx, adapter, piece, come, [link], [source, target])
        return carry_out(ctx, "relate", [piece], [])
    tie = tie_of(kind, target.memory.uid, strength, context, body)
    if any((each["kind"], each["to"]) == (kind, target.memory.uid) for each in source.memory.ties):
        raise Refused("exists", "They are related so already.", "Nothing was changed.")
    piece = ChangeItem(source, store, {RELATION: None}, {RELATION: tie})
    return carry_out(ctx, "relate", [piece], [])


def unrelate(
    ctx: Context, id: int, kind: str, other: int | str, *, out: bool = True, was: RelationSpec | None = None
) -> Change:
    """Take a relation from one memory to another away. `other` may be a name of the store behind which no
    memory stands; it leads from there where it is not `out`. `was` tells which one, where several of a kind
    lead from one to the other."""
    if id == other:  # a store may tell a relation of a memory to itself
        other = str(ctx.db.one("SELECT anchor FROM memories WHERE id = ?", (id,)) or "")
    if isinstance(other, str):
        return _loose(ctx, id, kind, other, out, was)
    source, target = both(ctx, id, other) if out else both(ctx, other, id)
    store = store_rows.get(ctx.db, source.store_id)
    adapter = may(ctx, source, store)
    if (tie := kept_tie(source, kind, target.memory.uid, was)) is not None:
        return carry_out(ctx, "unrelate", [ChangeItem(source, store, {RELATION: tie}, {RELATION: None})], [])
    kind = as_spelled(adapter, kind)
    said = told(ctx, source, kind, target, was)
    must_be_native(adapter, source, target, "unrelate", kind)
    assert adapter is not None
    link = Link(source.anchor, kind, target.anchor, *relation_overrides.own(adapter, said))
    before = {"kind": kind, "to": target.memory.uid}
    piece = ChangeItem(source, store, {RELATION: before}, {RELATION: None}, link=link)
    note(ctx, adapter, piece, duplicate_relations(ctx, store.id, link), [link], [source, target])
    return carry_out(ctx, "unrelate", [piece], [])


def _loose(ctx: Context, id: int, kind: str, name: str, out: bool, was: RelationSpec | None) -> Change:
    """Take away a relation that leads nowhere, or comes from nowhere."""
    ctx.writable()
    found = memory_rows.held(ctx.db, [id])
    if not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    held = found[0]
    store = store_rows.get(ctx.db, held.store_id)
    adapter = may(ctx, held, store)
    if out and (tie := kept_tie(held, kind, name, was)) is not None:
        return carry_out(ctx, "unrelate", [ChangeItem(held, store, {RELATION: tie}, {RELATION: None})], [])
    ends = (held.anchor, name) if out else (name, held.anchor)
    said = _said(ctx, held.store_id, ends, kind, was) if held.anchor else None
    if said is None:
        raise _no_relation(kind, was)
    if adapter is None or adapter.supports("unrelate", kind).how is not How.NATIVE:
        raise their_own_way(adapter)
    before = {"kind": kind, "to": ends[1]}
    link = Link(ends[0], kind, ends[1], *relation_overrides.own(adapter, said))
    piece = ChangeItem(held, store, {RELATION: before}, {RELATION: None}, link=link)
    note(ctx, adapter, piece, duplicate_relations(ctx, store.id, link), [link], [held])
    return carry_out(ctx, "unrelate", [piece], [])


def note(
    ctx: Context,
    adapter: Adapter,
    piece: ChangeItem,
    come: list[Note],
    links: Sequence[Link],
    held: Sequence[MirrorRow],
) -> None:
    """Have a change say, too, what memtui keeps beside these relations before and after; the memories
    `held` bear the names of their ends."""
    if adapter.relation_says >= set(SAYS):
        return
    keys = [way(link) for link in links]
    uids = {each.anchor: each.memory.uid for each in held}
    gone = relation_overrides.at(ctx.db, piece.store.id, *keys)
    piece.before[BESIDE] = relation_overrides.journaled(keys, gone, uids)
    piece.after[BESIDE] = relation_overrides.journaled(keys, come, uids)


def duplicate_relations(ctx: Context, store_id: int, link: Link) -> list[Note]:
    """What is kept beside a relation that goes, where others of its kind between the same two stay."""
    others = ctx.db.one(_TWINS, (store_id, *way(link))) > 1
    return relation_overrides.at(ctx.db, store_id, way(link)) if others else []


def way(link: Link) -> relation_overrides.Key:
    """What a note hangs on."""
    return link.source, link.kind, link.target


def kept_tie(source: MirrorRow, kind: str, to: str, was: RelationSpec | None) -> dict[str, Any] | None:
    """The relation of a kind to a memory (its uid) that memtui keeps with the one that it leads from."""
    if was is not None and was.local is False:
        return None
    ties = (tie for tie in source.memory.ties if (tie["kind"], tie["to"]) == (kind, to))
    return next((tie for tie in ties if was is None or said_by(tie) == was.values), None)


def said_by(tie: Mapping[str, Any]) -> tuple[float | None, str, str]:
    """What a relation that memtui keeps says beside its kind."""
    return tie.get("strength"), tie.get("context", ""), tie.get("body", "")


def told(ctx: Context, source: MirrorRow, kind: str, target: MirrorRow, was: RelationSpec | None) -> Said:
    """Strength, context and body of a relation that its store tells. Raises Refused where it tells none."""
    same = source.store_id == target.store_id and source.anchor and (was is None or not was.local)
    said = _said(ctx, source.store_id, (source.anchor, target.anchor), kind, was) if same else None
    if said is None:
        raise _no_relation(kind, was)
    return said


_TWINS = (
    "SELECT count(DISTINCT json_array(strength, context, body)) FROM relations WHERE store_id = ? "
    "AND source = ? AND kind = ? AND target = ?"
)
_SAID = (
    "SELECT strength, context, body FROM relations WHERE store_id = ? AND source = ? AND kind = ? "
    "AND target = ?"
)


def _said(
    ctx: Context, store_id: int, ends: tuple[str, str], kind: str, was: RelationSpec | None
) -> Said | None:
    key = (store_id, clean(ends[0]), clean(kind), clean(ends[1]))
    rows: list[Said] = ctx.db.rows(_SAID, key)
    return next((row for row in rows if was is None or row == was.values), None)


def _no_relation(kind: str, was: RelationSpec | None) -> Refused:
    if was is None:
        return Refused("no-relation", f"There is no relation “{kind}” from one to the other.")
    return NotSaved("changed", f"the relation “{kind}” is no longer as it was shown.", "Nothing was changed.")


def must_be_native(
    adapter: Adapter | None, source: MirrorRow, target: MirrorRow, action: str, kind: str
) -> None:
    """Refused where a store tells a relation in a way that memtui cannot change."""
    if not is_native(adapter, source, target, action, kind):
        raise their_own_way(adapter)


def their_own_way(adapter: Adapter | None) -> Refused:
    title = "The store" if adapter is None else adapter.title
    return Refused(
        "unsupported",
        f"{title} tells this relation in its own way; memtui cannot change it.",
        "Nothing was changed. Edit the memory's text instead.",
    )


def checked(kind: str) -> str:
    """A relation's kind in one line. Raises Refused."""
    kind = " ".join(clean(kind).split())
    if not kind or len(kind) > _LENGTH:
        raise Refused("kind", f"A relation's kind has 1 to {_LENGTH} characters.", "Nothing was changed.")
    return kind


def tie_of(kind: str, to: str, strength: float | None, context: str, body: str) -> dict[str, Any]:
    """A relation as memtui keeps it with the memory that it leads from."""
    more = {"strength": strength, "context": context, "body": body}
    return {"kind": kind, "to": to} | {n: value for n, value in more.items() if value not in (None, "")}


def supersede(ctx: Context, ids: Sequence[int], winner: int, context: str = "") -> Change:
    """Let memories give way to another one: as their format does it, else they are dismissed and what
    they gave way to stands in memtui."""
    ctx.writable()
    by = memory_rows.held(ctx.db, [winner])
    found = memory_rows.held(ctx.db, ids)
    if not by or not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    stores = store_rows.by_id(ctx.db)
    first = by[0].memory
    if by[0].removed_at is not None or first.status in planning.GONE:
        raise Refused("gone", "What others give way to must stand itself.", "Restore it first.")
    pieces: list[ChangeItem] = []
    skipped: list[Skipped] = []
    for held in found:
        store = stores[held.store_id]
        why = blocked(ctx, "supersede", held, store)
        if held.id == winner:
            why = "A memory cannot give way to itself."
        if why:
            label = label_of(held.memory.title, held.memory.subject, held.memory.content)
            skipped.append(Skipped(held.memory.uid, label, "blocked", why))
            continue
        same = held.store_id == by[0].store_id
        link = Link(by[0].anchor, SUPERSEDES, held.anchor, context=context) if same else None
        after = _superseded(ctx, store, link) | {"superseded_by": first.uid}
        before = {name: getattr(held.memory, name) for name in after}
        pieces.append(ChangeItem(held, store, before, after, link=link))
    return carry_out(ctx, "supersede", pieces, skipped)


def _superseded(ctx: Context, store: StoreRow, link: Link | None) -> dict[str, Any]:
    """What the fields of one that gives way become; a format's own way knows only its own memories."""
    adapter = ctx.adapter(store)
    if adapter is None:
        return {"status": "superseded"}
    native = link is not None and adapter.supports("supersede").how is not How.WORKSPACE
    return dict(adapter.supersession if native else adapter.dismissal)


def both(ctx: Context, id: int, other: int) -> tuple[MirrorRow, MirrorRow]:
    """The two memories. Raises Refused."""
    ctx.writable()
    found = {held.id: held for held in memory_rows.held(ctx.db, [id, other])}
    if id == other:
        raise Refused("same", "A memory has no relation to itself.", "Nothing was changed.")
    if len(found) < 2:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    return found[id], found[other]


def may(ctx: Context, held: MirrorRow, store: StoreRow) -> Adapter | None:
    """The store's adapter, if the memory may be changed there."""
    if why := blocked(ctx, "relate", held, store):
        raise Refused("blocked", why, "Nothing was changed.")
    return None if store.format == NATIVE else ctx.adapter(store)


def as_spelled(adapter: Adapter | None, kind: str) -> str:
    """The kind as the format spells it."""
    known = () if adapter is None else adapter.relation_kinds
    plain = kind.casefold().replace("-", "_").replace(" ", "_")
    return next((each for each in known if each.casefold() == plain), kind)


def is_native(adapter: Adapter | None, source: MirrorRow, target: MirrorRow, action: str, kind: str) -> bool:
    """Whether a store itself holds such a relation."""
    return (
        adapter is not None
        and source.store_id == target.store_id
        and bool(source.anchor and target.anchor)
        and adapter.supports(action, kind).how is How.NATIVE
    )
