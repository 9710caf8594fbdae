"""What a person does to memories: each verb works out its pieces and runs them as one unit (SPEC 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from memtui.errors import Conflict, Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter, How, Planned, Record, Write, clean
from memtui.formats.media.files import atomic_write
from memtui.memory.lifecycles.confirmation import confirmed, standing
from memtui.memory.records import EDITABLE, LISTS, Change, Skipped
from memtui.text import plural
from memtui.workspace import catalog, mirror, native, outbox, parting, relation_notes, renamed
from memtui.workspace.bodies import BESIDE, NO_FIELDS, planned, unbody
from memtui.workspace.bodies import RELATION as RELATION
from memtui.workspace.core import NATIVE, Core
from memtui.workspace.mirror import Held
from memtui.workspace.outbox import Piece
from memtui.workspace.past import past
from memtui.workspace.pull import pull

_KINDS = {
    "pin": ("pinned", "Pinned"),
    "unpin": ("unpinned", "Unpinned"),
    "confirm": ("confirmed", "Confirmed"),
    "dismiss": ("dismissed", "Dismissed"),
    "restore": ("restored", "Restored"),
    "edit": ("edited", "Edited"),
    "add": ("added", "Added"),
    "relate": ("related", "Related"),
    "unrelate": ("unrelated", "Unrelated"),
    "retie": ("retied", "Changed a relation of"),
    "supersede": ("superseded", "Superseded"),
}
OURS = {"ties", "superseded_by"}  # fields that no store is asked to hold
GONE = ("dismissed", "superseded", "expired")  # what restore brings back
READINGS = 3  # of a store that is written all the time, before a change is refused
NEEDS_RESTORE = "It was taken out of its store; restore it first."


def pin(core: Core, ids: Sequence[int], why: str) -> Change:
    return _run(
        core, "pin", ids, lambda *_: {"pinned": True, "pinned_by": core.actor, "pinned_why": why or None}
    )


def unpin(core: Core, ids: Sequence[int]) -> Change:
    return _run(core, "unpin", ids, lambda *_: {"pinned": False, "pinned_by": None, "pinned_why": None})


def confirm(core: Core, ids: Sequence[int]) -> Change:
    return _run(
        core,
        "confirm",
        ids,
        lambda held, kind: confirmed(held.memory, core.clock(), kind.lifecycle if kind else "memtui"),
    )


def dismiss(core: Core, ids: Sequence[int]) -> Change:
    leaving = mirror.held(core.db, ids) if len(ids) <= parting.MOST else []
    stores = {store.id: store for store in core.t.Store.select()} if leaving else {}
    words = {held.id: held for held in leaving if not blocked(core, "dismiss", held, stores[held.store_id])}
    told = parting.words(core, list(words.values()), stores)
    change = _run(core, "dismiss", ids, lambda _, kind: dismissal(kind))
    whole = told and len(change.ids) == len(words)
    return replace(change, summary=f"{change.summary}; {told}") if whole else change


def restore(core: Core, ids: Sequence[int]) -> Change:
    """Dismissed ones as their format does; those that another hand removed are put back."""

    def back(held: Held, kind: type[Adapter] | None) -> dict[str, Any]:
        return {"here": True} if held.removed_at is not None else former(core, held, kind)

    return _run(core, "restore", ids, back)


def edit(
    core: Core,
    ids: Sequence[int],
    fields: Mapping[str, Any],
    seen: Mapping[str, Any] | None,
    retag: Callable[[tuple[str, ...]], tuple[str, ...]] | None = None,
) -> Change:
    """Set fields; with `seen`, only where the memory still says what the person had before them. `retag`
    makes each memory's tags of those that it has."""
    wanted = _tidy(fields)

    def changed(held: Held, kind: type[Adapter] | None) -> dict[str, Any]:
        now = {name: getattr(held.memory, name) for name in seen or {}}
        theirs = {name: value for name, value in now.items() if seen and value != seen[name]}
        if theirs:
            yours = {name: wanted[name] for name in theirs if name in wanted}
            raise Conflict("Not saved: the memory changed since it was read.", yours, theirs)
        more = _tidy({"tags": retag(held.memory.tags)}) if retag is not None else {}
        return _edited(core, held, {**wanted, **more})

    return _run(core, "edit", ids, changed)


def add(core: Core, fields: Mapping[str, Any], store_name: str) -> Change:
    """A new memory by a person; in our own store confirmed from the start, at 0.5."""
    core.writable()
    wanted = _tidy(fields)
    if not str(wanted.get("content") or "").strip():
        raise Refused("empty", "Nothing was added: the memory has no text.", "Give it some.")
    store = catalog.named(core, store_name)
    if why := catalog.locked(store):
        raise Refused("read-only", why, "Nothing was added.")
    adapter = core.adapter(store)
    piece = Piece(None, store, {"here": False}, {"here": True, **wanted}, adapter=adapter)
    if adapter is None:
        now = core.clock()
        piece.after |= {
            "status": "confirmed",
            "confidence": 0.5,
            "source_type": "user",
            "created_at": now,
            "updated_at": now,
        }
        piece.ours = dict(piece.after)
    else:
        can = adapter.fields_of("item") | adapter.remade
        lacking = {name: value for name, value in wanted.items() if name not in can}
        piece.ours = lacking
        _plan_add(core, [piece], wanted)
        if piece.refused is not None:
            raise piece.refused
    done = outbox.run(
        core,
        "added",
        _summary("add", [piece]),
        [piece],
        again=lambda group: _plan_add(core, group, wanted),
    )
    return _change("add", done, [])


def _plan_add(core: Core, group: Sequence[Piece], wanted: Mapping[str, Any]) -> None:
    (piece,) = group
    assert piece.adapter is not None
    answer: Planned | Refused
    try:
        (answer,) = piece.adapter.plan([Write("add", "", wanted, {}, core.clock())])
    except Refused as refusal:
        answer = refusal
    except OSError as trouble:
        answer = atomic_write.refusal(trouble)
    if isinstance(answer, Refused):
        piece.refused = answer
    else:
        piece.plan = answer


# -- why not, and what it will do


def blocked(core: Core, action: str, held: Held, store: Any) -> str:
    """Why `action` cannot work on this memory of `store` now; empty if it can."""
    memory = held.memory
    if core.read_only:
        return core.read_only
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
    return (adapter.supports(action, name) if adapter is not None else native.supports(action, name)).words


def kind_of(store: Any) -> type[Adapter] | None:
    """The format of a stores row; None for our own store."""
    return None if store.format == NATIVE else registry.by_name(store.format)


def dismissal(kind: type[Adapter] | None) -> dict[str, Any]:
    """The fields of a memory that is dismissed, in a store of this format."""
    return {"status": "dismissed"} if kind is None else dict(kind.dismissal)


def former(core: Core, held: Held, kind: type[Adapter] | None) -> dict[str, Any]:
    """What the fields of a memory were before it was dismissed or superseded; where that is not known,
    the status that its numbers give."""
    row = core.db.rows(
        "SELECT b.before FROM journal_items i JOIN bodies b ON b.item_id = i.id "
        "JOIN standings st ON st.item_id = i.id JOIN journal j ON j.id = i.journal_id "
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
        back["last_confirmed_at"] = core.clock()
        if held.memory.expires_at is not None and held.memory.expires_at <= core.clock():
            back["expires_at"] = None
    return back


# -- the mechanism


Changing = Callable[[Held, "type[Adapter] | None"], Mapping[str, Any]]
"""The fields that a verb sets in a memory, in a store of a format."""


def _run(core: Core, action: str, ids: Sequence[int], change: Changing) -> Change:
    core.writable()
    found = mirror.held(core.db, ids)
    if not found:
        raise Refused("nothing", "There is no such memory.", "Nothing was changed.")
    stores = {store.id: store for store in core.t.Store.select()}
    pieces: list[Piece] = []
    skipped: list[Skipped] = []
    for held in found:
        store = stores[held.store_id]
        why = blocked(core, action, held, store)
        fields = {} if why else _changing(held, change(held, kind_of(store)))
        if why or not fields:
            skipped.append(
                Skipped(held.memory.uid, held.label, "blocked", why or "Nothing in it would change.")
            )
            continue
        before = {name: False if name == "here" else getattr(held.memory, name) for name in fields}
        pieces.append(Piece(held, stores[held.store_id], before, dict(fields)))
    return carry_out(core, action, pieces, skipped)


def carry_out(core: Core, action: str, pieces: Sequence[Piece], skipped: Sequence[Skipped]) -> Change:
    """Plan the pieces of one verb and run them as one unit; Refused where none of it can be done."""
    if not pieces:
        first = skipped[0]
        more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
        raise Refused(first.code, f"{first.why}{more}", "Nothing was changed.")
    for left in reversed(range(READINGS)):
        for group in _groups(pieces):
            prepare(core, [action] * len(group), group)
        if not _read_again(core, action, pieces, anew=left > 0):
            break
    done = outbox.run(
        core,
        _KINDS[action][0],
        _summary(action, pieces),
        pieces,
        again=lambda group: prepare(core, [action] * len(group), group),
    )
    _read_again(core, action, done.pieces, anew=False)
    return _change(action, done, skipped)


def _read_again(core: Core, action: str, pieces: Sequence[Piece], *, anew: bool) -> bool:
    """Where stores are no longer as they were read, read them again: a conflict then names what the very
    memory says now. With `anew`, what still says what it did is no conflict; whether there is such, to be
    planned anew."""
    torn = [piece for piece in pieces if isinstance(piece.refused, Conflict) and piece.held is not None]
    for store in {piece.store.id: piece.store for piece in torn}.values():
        with suppress(Refused):  # the conflict is what to report
            pull(core, store)
    now = {each.id: each for each in mirror.held(core.db, [p.held.id for p in torn if p.held is not None])}
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
            piece.refused = Conflict(piece.refused.message, yours, theirs)
        elif anew and fresh != old:
            piece.held, piece.refused, stands = fresh, None, True
    return stands


def _changing(held: Held, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in fields.items() if n == "here" or getattr(held.memory, n) != v}


def _groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    groups: dict[int, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.store.id, []).append(piece)
    return list(groups.values())


def prepare(core: Core, actions: Sequence[str], group: Sequence[Piece]) -> None:
    """Part the fields of one store's pieces into the store's own and ours, and plan the store's."""
    try:
        adapter = core.adapter(group[0].store)
    except Refused as refusal:
        for piece in group:
            piece.refused = refusal
        return
    foreign: list[tuple[str, Piece]] = []
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
            answers += adapter.plan([_write(core, adapter, action, p, there) for action, p in plain])
        if moved:
            answers += adapter.reverse(_plans_of(core, adapter, moved))
    except Refused as refusal:
        answers = [refusal for _ in foreign]
    except OSError as trouble:
        answers = [atomic_write.refusal(trouble) for _ in foreign]
    for piece, answer in zip([*(p for _, p in plain), *moved], answers, strict=True):
        if isinstance(answer, Planned):
            piece.plan = answer
        else:
            piece.refused = answer


def _theirs(adapter: Adapter | None, action: str, piece: Piece) -> set[str]:
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


def _as_done(adapter: Adapter | None, action: str, piece: Piece) -> str:
    """One that gives way is dismissed as its format does, where that has no way of its own or knows
    nothing of what it gives way to."""
    own = adapter is None or (piece.link is not None and _is_native(adapter, action))
    return "dismiss" if action == "supersede" and not own else action


def _is_native(adapter: Adapter, action: str) -> bool:
    return adapter.supports(action).how is not How.WORKSPACE


def _write(core: Core, adapter: Adapter, action: str, piece: Piece, there: Mapping[str, Record]) -> Write:
    assert piece.held is not None
    memory = piece.held.memory
    if "here" in piece.after and memory.ref not in there:
        # Another hand took it out, whole: it is added again.
        names = adapter.fields | adapter.remade
        said = {name: getattr(memory, name) for name in names if getattr(memory, name) is not None}
        return Write("add", "", {"title": memory.title, **said}, {}, core.clock())
    fields = {n: v for n, v in piece.after.items() if n not in piece.ours and n not in ("here", RELATION)}
    seen = {name: piece.before[name] for name in fields}
    if action == "dismiss" and adapter.supports(action).how is How.MOVED:
        # The whole memory goes, so all of it that a person reads must be as it was read.
        seen = {name: getattr(memory, name) for name in adapter.fields & {"content", "title"}}
    return Write(action, memory.ref, fields, seen, core.clock(), piece.link, core.actor, was=piece.was)


def _plans_of(core: Core, adapter: Adapter, pieces: Sequence[Piece]) -> list[Planned]:
    """The plans that took these memories out of their store."""
    held = [piece.held for piece in pieces if piece.held is not None]
    items = [each.moved for each in held if each.moved is not None]
    since = past(core, pieces[0].store, adapter, {item: item for item in items})
    plans: list[Planned] = []
    for item in items:
        text = core.db.one("SELECT plan FROM outbox WHERE item_id = ?", (item,))
        if text is None:
            raise Refused("erased", "Its text was erased; it cannot be put back.")
        plans.append(adapter.without(planned(adapter, text), since))
    return renamed.as_called(core.db, adapter, plans, held)


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


def _edited(core: Core, held: Held, wanted: Mapping[str, Any]) -> dict[str, Any]:
    fields = _changing(held, wanted)
    if "content" in fields and not fields["content"].strip():
        raise Refused("empty", "Not saved: the memory would be empty.", "Dismiss it instead.")
    if fields and held.memory.store == NATIVE:
        fields["updated_at"] = core.clock()
    return fields


def _summary(action: str, pieces: Sequence[Piece]) -> str:
    """What is asked and where, without a word of the memories themselves: those can be erased, a
    file's name too. How many of them it became is read off their standings."""
    return _told(action, pieces, len(pieces), files=False)


def _told(action: str, pieces: Sequence[Piece], of: int, *, files: bool = True) -> str:
    """ "Edited 2 of 3 memories in founder-os:acme (memory.db)"."""
    count = f"{len(pieces):,}" if len(pieces) == of else f"{len(pieces):,} of {of:,}"
    noun = plural(of, "memory")
    ties = [each for p in pieces for each in (p.after.get(RELATION), p.before.get(RELATION)) if each]
    ties += [each for p in pieces for side in (p.after, p.before) for each in side.get(BESIDE) or ()]
    kinds = {str(tie["kind"]) or "without a kind" for tie in ties}
    how = f" ({', '.join(sorted(kinds))})" if kinds else ""
    told = f"{_KINDS[action][1]} {count} {noun}{how}, {places_of(pieces, files=files)}"
    told = told.replace(", in ", " in ", 1)
    words = dict.fromkeys(piece.plan.words for piece in pieces if piece.plan is not None and piece.plan.words)
    notes = (note for p in pieces if p.plan is not None for note in p.after.get(BESIDE) or ())
    if files and (said := relation_notes.words(notes)):
        words[f"kept in memtui: {said}"] = None
    beside = dict.fromkeys(name for p in pieces for name in p.ours) if files and action == "add" else {}
    if beside and pieces[0].adapter is not None:
        words[f"kept in memtui alone: {', '.join(beside)}"] = None
    return "; ".join((told, *words)) if files else told


def places_of(pieces: Sequence[Piece], *, files: bool) -> str:
    """ "in founder-os:acme (memory.db), kept in memtui"."""
    places: dict[str, None] = {}
    for group in _groups(pieces):
        plans = [piece.plan for piece in group if piece.plan is not None]
        adapter = group[0].adapter
        store = group[0].store.name
        if plans and adapter is not None and files:
            places[f"in {store} ({adapter.written(plans[:3])})"] = None
        elif plans or adapter is None or group[0].refused is not None:
            places[f"in {store}"] = None
        else:
            places["kept in memtui"] = None
    return ", ".join(places)


def _change(action: str, done: outbox.Done, skipped: Sequence[Skipped]) -> Change:
    if not done.good:
        refusal = done.pieces[0].refused
        assert refusal is not None
        raise refusal
    refused = [
        Skipped(
            p.held.memory.uid,
            p.held.label,
            p.refused.code,
            p.refused.message,
        )
        for p in done.pieces
        if p.refused is not None and p.held is not None
    ]
    left = (*skipped, *refused)
    ids = tuple(piece.memory_id for piece in done.good)
    told = _told(action, done.good, len(ids) + len(left)) + done.ending
    return Change(_KINDS[action][0], ids, told, done.line, left)
