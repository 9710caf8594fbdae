"""Undo and redo: taking a change back in the stores that it was written to (S-51)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from memtui.errors import NotUndone, Refused
from memtui.formats.contract.adapter import Adapter, Planned
from memtui.formats.media.files import atomic_write
from memtui.memory.memory import EDITABLE
from memtui.memory.results import Change, Skipped
from memtui.workspace.changes import change_item, outbox, prior_writes, renamed, revert_agent, verdict_rows
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.context import NATIVE, Context
from memtui.workspace.db import store_rows
from memtui.workspace.db.database import in_words
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.journal.entries import BY_OTHERS, OVERWRITTEN
from memtui.workspace.journal.history import REDO, UNDO, VERBS, _may_go
from memtui.workspace.journal.items import (
    BESIDE,
    ERASED,
    NO_FIELDS,
    RELATION,
    RELATIONS,
    VERDICT,
    planned,
    unbody,
    unreadable,
)
from memtui.workspace.mirror import memory_rows, relation_overrides
from memtui.workspace.stores import catalog

_WHOLE = ("resolved", "retied")  # taken back as a whole or not at all
_HALF = "rule:all-or-nothing"  # who takes back what came to half
_TAKEN_OUT = "it was taken out of its store since; undo that first."
_BESIDE = {VERDICT, RELATIONS, BESIDE}  # of these no store knows, so it may be locked
_FINAL = ("rebuilt", "purged", "restored-backup", "attached", "detached", "renamed", "locked", "unlocked")


# -- undo and redo


def undo(ctx: Context, line: int | None = None, *, warn: bool = False) -> Change:
    """Take back a line, or the newest change by a person that is not undone. One that was refused so is
    passed over from then on, and asked for again only by its line: it must not block those before it. With
    `warn`, one that lies behind something that cannot be undone is taken back only when asked for again."""
    if line is not None:
        return _take_back(ctx, line)
    newest = _newest(ctx, VERBS)
    if newest is None:
        raise _nothing(ctx, "undo", VERBS, "The journal shows what was changed.")
    if warn:
        _warn(ctx, newest)
    return _or_pass_over(ctx, newest, "undone", VERBS)


_NEWEST = """
SELECT j.id FROM journal j
WHERE j.actor = 'person' AND j.kind IN (SELECT value FROM json_each(?)) AND EXISTS (
    SELECT 1 FROM journal_items i JOIN item_states st ON st.item_id = i.id
    WHERE i.journal_id = j.id AND st.state = 'done' AND st.undone_by IS NULL)
AND j.id {}IN (SELECT entry_id FROM checkpoints WHERE name GLOB 'refused:*') ORDER BY j.id DESC LIMIT 1
"""
# Refusals that pass, and say nothing of the line itself: it is the one to be asked for again.
PASSING = frozenset({"busy", "unsettled", "overtaken", "closing", "disk-full", "io"})


def _newest(ctx: Context, kinds: Sequence[str]) -> int | None:
    """The person's newest line of these kinds that stands, and was not refused when it was to go."""
    found = ctx.db.one(_NEWEST.format("NOT "), (json.dumps(kinds),))
    return None if found is None else int(found)


def _nothing(ctx: Context, what: str, kinds: Sequence[str], hint: str) -> Refused:
    refused = ctx.db.one(_NEWEST.format(""), (json.dumps(kinds),))
    return nothing(what, refused, hint)


def nothing(what: str, refused: int | None, hint: str) -> Refused:
    """Why there is nothing to undo or redo: at most what was refused, `refused` the newest."""
    if refused is None:
        return Refused("nothing", f"Nothing to {what}.", hint)
    hint = f"What was refused is asked for again by its line in the journal: {refused} is the newest."
    return Refused("nothing", f"Nothing else to {what}.", hint)


def _or_pass_over(ctx: Context, line: int, done: str, kinds: Sequence[str]) -> Change:
    """Take a line back; where that is refused, say which one is next."""
    try:
        return _take_back(ctx, line)
    except Refused as refusal:
        if refusal.code in PASSING:
            raise
        ctx.db.run(
            "INSERT OR REPLACE INTO checkpoints (name, entry_id, at) VALUES (?, ?, ?)",
            (_mark_of(line), line, ctx.clock()),
        )
        older = _newest(ctx, kinds)
        then = None if older is None else (older, _changed_by(ctx, older))
        raise passed_over(refusal, (line, _changed_by(ctx, line)), done, then) from refusal


def passed_over(
    refusal: Refused, asked: tuple[int, str], done: str, older: tuple[int, str] | None
) -> Refused:
    """A refusal that names the line that was asked for and the one that comes next, both with the summary of
    the change that they are about."""
    line, summary = asked
    hint = f"Line {line} of the journal asks for it again."
    if older is not None:
        hint = f"Once more takes back the change before it: {older[1]}. {hint}"
    why = refusal.why if isinstance(refusal, NotUndone) else refusal.message
    more = {**refusal.detail, "line": line, "next": older and older[0]}
    return Refused(refusal.code, f"“{summary}” was not {done}: {why}", hint, **more)


def _mark_of(line: int) -> str:
    return f"refused:{line}"


def _summary(ctx: Context, line: int) -> str:
    return str(ctx.db.one("SELECT summary FROM journal WHERE id = ?", (line,)))


def _changed_by(ctx: Context, line: int) -> str:
    """The summary of the change that a line made, undid or did again."""
    kind, undoes = ctx.db.rows("SELECT kind, undoes FROM journal WHERE id = ?", (line,))[0]
    while kind in (UNDO, REDO, OVERWRITTEN) and undoes is not None:  # each leads to an older line
        line = undoes
        kind, undoes = ctx.db.rows("SELECT kind, undoes FROM journal WHERE id = ?", (line,))[0]
    return _summary(ctx, line)


def _warn(ctx: Context, line: int) -> None:
    """Refused, once, where the person's newest change is another one that cannot be undone, or that the
    agent's program undid already."""
    newer = ctx.db.rows(
        f"SELECT id, summary, kind IN {_FINAL} FROM journal j WHERE id > ? AND actor = 'person' "
        f"AND (kind IN {_FINAL} OR EXISTS (SELECT 1 FROM journal o WHERE o.undoes = j.id AND o.kind = ?)) "
        # One of which nothing took effect is none; most name no memories.
        "AND coalesce((SELECT max(st.state = 'done') FROM journal_items i JOIN item_states st "
        "ON st.item_id = i.id WHERE i.journal_id = j.id), 1) ORDER BY id DESC LIMIT 1",
        (line, OVERWRITTEN),
    )
    if newer and ctx.warned != newer[0][0]:
        ctx.warned = newer[0][0]
        hint = f"Once more takes back the change before it: {_summary(ctx, line)}."
        why = "cannot be undone" if newer[0][2] else "was overwritten by the agent's program"
        raise Refused("not-undoable", f"“{newer[0][1]}” {why}.", hint)


def redo(ctx: Context) -> Change:
    """Do again what the newest undo took back, unless something else was changed since."""
    line = _newest(ctx, [UNDO])
    newer = ctx.db.one(
        "SELECT 1 FROM journal j JOIN journal_items i ON i.journal_id = j.id "
        "JOIN item_states st ON st.item_id = i.id "
        f"WHERE j.id > ? AND j.actor = 'person' AND j.kind IN {VERBS} AND st.state = 'done' LIMIT 1",
        (line or 0,),
    )
    if line is None:
        raise _nothing(ctx, "redo", [UNDO], "The journal can take back any line.")
    if newer:
        why = "Nothing to redo: something else was changed since the undo."
        raise Refused("nothing", why, "The journal can take back any line.")
    return _or_pass_over(ctx, line, REDO, [UNDO])


def _standing(ctx: Context, line: int) -> list[tuple[Any, ...]]:
    """What stands of a line, last first."""
    return ctx.db.rows(
        "SELECT i.id, i.memory_id, st.effective_item, b.before, b.after FROM journal_items i "
        "JOIN item_states st ON st.item_id = i.id LEFT JOIN bodies b ON b.item_id = i.id "
        "WHERE i.journal_id = ? AND st.state = 'done' AND st.undone_by IS NULL ORDER BY i.id DESC",
        (line,),
    )


def _take_back(ctx: Context, line: int) -> Change:
    row = ctx.db.rows("SELECT kind, summary, actor FROM journal WHERE id = ?", (line,))
    if not row:
        raise Refused("no-line", f"The journal has no line {line}.", "memtui journal lists them.")
    kind, summary, actor = row[0]
    if not _may_go(kind, actor):
        came = "it came with a backup" if kind in BY_OTHERS else "it changed no memory of a store"
        hint = "memtui backup list shows what can be put back." if kind in BY_OTHERS else ""
        raise Refused("not-undoable", f"“{summary}” cannot be taken back: {came}.", hint)
    todo = _standing(ctx, line)
    if not todo:
        raise Refused("undone", f"“{summary}” is undone already, or never took effect.")
    pieces, skipped, anew = revert_agent.pieces(ctx, todo) if kind in BY_OTHERS else _pieces(ctx, todo, kind)
    if whole := _is_whole(ctx, line):
        _only_all(ctx, line, pieces, skipped)
    if not any(piece.refused is None for piece in pieces):
        if len(pieces) == 1 and not skipped and pieces[0].refused is not None:
            raise pieces[0].refused
        first = next(iter(skipped), None)
        why = pieces[0].refused.message if pieces and pieces[0].refused else first.why if first else ""
        codes = [piece.refused.code for piece in pieces if piece.refused is not None]
        passing = next((code for code in codes if code in PASSING), "changed-since")
        raise NotUndone(passing, f"{why}", "Nothing was changed.")
    good = sum(piece.refused is None for piece in pieces)
    again = kind in (UNDO, OVERWRITTEN)
    verb = "Redone" if again else "Undone"
    told = _changed_by(ctx, line)
    asked = ctx.db.one("SELECT count(*) FROM journal_items WHERE journal_id = ?", (line,))
    if good == len(todo) < asked:
        told += f" (the {good} of {asked} that were)"
    elif good < len(todo):
        told += f" ({good} of {len(todo)}; the rest changed since)"
    live = [piece for piece in pieces if piece.refused is None]
    done = outbox.run(ctx, REDO if again else UNDO, f"{verb}: {told}", live, line, anew)
    if whole:
        ensure_all_or_nothing(ctx, done)
    change = _change(verb, told, done, skipped, pieces)
    with suppress(Refused, OSError), in_words(ctx.path):  # it is done, whatever the workspace takes now
        ctx.db.run("DELETE FROM checkpoints WHERE name = ?", (_mark_of(line),))
    return change


def _is_whole(ctx: Context, line: int) -> bool:
    """Whether a line, or what it takes back, is one that stands or falls as a whole."""
    kind, undoes = ctx.db.rows("SELECT kind, undoes FROM journal WHERE id = ?", (line,))[0]
    while undoes is not None:
        kind, undoes = ctx.db.rows("SELECT kind, undoes FROM journal WHERE id = ?", (undoes,))[0]
    return kind in _WHOLE


def _only_all(ctx: Context, line: int, pieces: Sequence[ChangeItem], skipped: Sequence[Skipped]) -> None:
    """Refused where not all of it can be taken back, or not all of it is known to stand."""
    open_still = (
        "SELECT 1 FROM outbox o JOIN journal_items i ON i.id = o.item_id "
        "WHERE (i.journal_id = ?1 OR i.journal_id IN (SELECT id FROM journal WHERE undoes = ?1)) "
        "AND o.state IN ('intended', 'waiting') LIMIT 1"
    )
    if ctx.db.one(open_still, (line,)):
        why = "a store that has a part in it could not be settled yet."
        raise NotUndone("busy", why, "Nothing was changed. Try again once that store is there.")
    for piece in pieces:
        piece.whole = True
    whys = [each.why for each in skipped] + [p.refused.message for p in pieces if p.refused is not None]
    codes = [piece.refused.code for piece in pieces if piece.refused is not None]
    if whys:
        code = next((code for code in codes if code in PASSING), "changed-since")
        raise NotUndone(code, f"{whys[0]}", "Nothing was changed.")


def ensure_all_or_nothing(ctx: Context, done: change_item.Done) -> None:
    """Refused where a unit that is whole or nothing was refused in one store; what another one had taken
    goes back."""
    refused = [piece.refused for piece in done.pieces if piece.refused is not None]
    if not refused:
        return
    first = next((each for each in refused if each.code != "needs"), refused[0])
    ctx.stale |= {piece.store.id for piece in done.pieces}
    try:
        roll_back_partial(ctx, done.line)
    finally:
        outbox.give_up(ctx, done.pieces, whole=True)
    raise first


def roll_back_partial(ctx: Context, line: int) -> None:
    """Take back what was done of a line that is whole or nothing. Raises Refused."""
    todo = _standing(ctx, line)
    if not todo:
        return
    kind, summary = ctx.db.rows("SELECT kind, summary FROM journal WHERE id = ?", (line,))[0]
    pieces, skipped, anew = _pieces(ctx, todo, kind)
    why = next((each.why for each in skipped), "")
    if pieces:
        done = outbox.run(ctx, UNDO, f"Undone: {summary}", pieces, line, anew, actor=_HALF)
        why = next((p.refused.message for p in done.pieces if p.refused is not None), why)
    if why:
        raise Refused("half", f"It was done in one store and refused in another: {why}", "See the journal.")


def _change(
    verb: str, told: str, done: change_item.Done, skipped: list[Skipped], pieces: Sequence[ChangeItem]
) -> Change:
    if not done.good:
        refusal = done.pieces[0].refused
        assert refusal is not None
        raise refusal
    left = [
        Skipped(p.held.memory.uid, "", p.refused.code, p.refused.message)
        for p in pieces
        if p.refused is not None and p.held is not None
    ]
    ids = tuple(piece.memory_id for piece in done.good)
    return Change(verb.lower(), ids, f"{verb}: {told}{done.ending}", done.line, (*skipped, *left))


def _pieces(
    ctx: Context, todo: Sequence[Sequence[Any]], kind: str
) -> tuple[list[ChangeItem], list[Skipped], outbox.Again]:
    """The pieces that take these items back, last first, and how to plan them anew; what changed
    since is skipped."""
    pieces: list[ChangeItem] = []
    skipped: list[Skipped] = []
    why_not: dict[int, str] = {}
    stores = store_rows.by_id(ctx.db)
    held = {each.id: each for each in memory_rows.held(ctx.db, [row[1] for row in todo])}

    def skip(item: int, each: memory_rows.MirrorRow | None, code: str, why: str) -> None:
        why_not[item] = why
        uid, label = (each.memory.uid, each.label) if each is not None else ("", "")
        skipped.append(Skipped(uid, label, code, why))

    for item, memory_id, effective_item, before_text, after_text in todo:
        each = held.get(memory_id)
        lost = unreadable(before_text, after_text)
        if each is None or lost is not None:
            skip(item, None if lost == ERASED else each, *(lost or ERASED))
            continue
        store = stores[each.store_id]
        before, after = unbody(after_text), unbody(before_text)
        for side in (before, after):  # what is kept of a relation follows an entity's new name
            if side.get(BESIDE):
                side[BESIDE] = relation_overrides.with_current_names(ctx.db, store.id, side[BESIDE])
        if not before.keys() <= _BESIDE and (why := catalog.locked(store)):
            skip(item, each, "read-only", why)
            continue
        piece = ChangeItem(each, store, before, after, undoes_item=item)
        plan = ctx.db.one("SELECT plan FROM outbox WHERE item_id = ?", (effective_item,))
        if "here" not in before and before.get("updated_at") not in (None, each.memory.updated_at):
            # A later change of another field moved the time of change: it stays.
            del before["updated_at"], after["updated_at"]
        if plan is None and kind in VERBS and after.get("updated_at") is not None:
            after["updated_at"] = _time_before(ctx, memory_id, item, after["updated_at"])
        new = kind in VERBS and after.get("here") is False  # what is redone was judged when it was undone
        since = _later_words(ctx, each, store, effective_item) if new else ""
        since = since or _since(each, before, foreign=plan is not None, adapter_fields=_foreign(ctx, store))
        if since and each.moved is not None and each.moved > effective_item:
            since = _TAKEN_OUT  # what else changed of it can be undone only after that
        since = since or verdict_rows.why_not_again(ctx, after.get(VERDICT))
        notes = before.get(BESIDE) or (), after.get(BESIDE) or ()
        since = since or relation_overrides.why_not_again(ctx.db, store.id, *notes)
        if plan is None and RELATION in before:
            since = since or _of_tie(each, before[RELATION], after.get(RELATION))
        if since:
            skip(item, each, "changed-since", since)
            continue
        if store.detached_at is not None and plan is not None:
            skip(item, each, "detached", f"{store.name} is detached.")
            continue
        piece.ours = dict(after)
        if plan is None and after.get("here") is False:  # another memtui's edit must not go with it
            piece.depends_on_fields = tuple(name for name in before if name not in NO_FIELDS)
        if plan is not None:
            _load(ctx, piece, plan)
            kept = json.loads(plan).get("ours", {}) if piece.plan is not None else {}
            piece.ours = {name: value for name, value in after.items() if name in kept}
            if each.moved is not None and _is_of_its_own(piece):
                # An equal text may stand where it stood, which is somebody else's.
                skip(item, each, "changed-since", _TAKEN_OUT)
                continue
            if piece.plan is not None and piece.plan.ref_after is None:
                why = _elsewhere(ctx, each, item, effective_item)
                if why:
                    skip(item, each, "changed-since", why)
                    continue
                if each.moved != effective_item:
                    # It was put back and taken out again in between: the newest plan knows the place.
                    plan = ctx.db.one("SELECT plan FROM outbox WHERE item_id = ?", (each.moved,))
                    _load(ctx, piece, plan)
        elif store.format != NATIVE:
            piece.adapter = _adapter_or_none(ctx, store)
        pieces.append(piece)
    if kind in VERBS:
        _know_past(ctx, pieces)
    made = {id(piece): piece.plan for piece in pieces}
    _reverse(ctx, pieces)
    _pair(ctx, pieces, why_not)

    def again(group: Sequence[ChangeItem]) -> None:
        for piece in group:
            piece.plan = made[id(piece)]
        _reverse(ctx, group)

    return pieces, skipped, again


def _time_before(ctx: Context, memory_id: int, item: int, at: float) -> float | None:
    """The time of change to put back: where what set it was taken back since, the one before."""
    rows = ctx.db.rows(
        "SELECT b.before, b.after FROM journal_items i JOIN journal j ON j.id = i.journal_id "
        "JOIN item_states st ON st.item_id = i.id AND st.undone_by IS NOT NULL "
        "JOIN bodies b ON b.item_id = i.id AND b.before IS NOT NULL "
        f"WHERE i.memory_id = ? AND i.id < ? AND j.kind IN {VERBS} ORDER BY i.id DESC",
        (memory_id, item),
    )
    time: float | None = at
    for before, after in rows:
        if time is not None and unbody(after).get("updated_at") == time and "here" not in unbody(after):
            time = unbody(before).get("updated_at")
    return time


def _know_past(ctx: Context, pieces: Sequence[ChangeItem]) -> None:
    """Have the plans that go in a store know what was written there since, and what of that was taken
    back."""
    groups: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        if piece.plan is not None and piece.refused is None:
            groups.setdefault(piece.store.id, []).append(piece)
    for group in groups.values():
        items = [piece.undoes_item for piece in group]
        sql = "SELECT item_id, effective_item FROM item_states WHERE item_id IN (SELECT value FROM json_each(?))"
        adapter = group[0].adapter
        assert adapter is not None
        since = prior_writes.past(ctx, group[0].store, adapter, dict(ctx.db.rows(sql, (json.dumps(items),))))
        for piece in group:
            assert piece.plan is not None
            piece.plan = adapter.without(piece.plan, since)


_HALVES = """
SELECT i.id, st.state = 'done' AND st.undone_by IS NULL FROM journal_items i
JOIN item_states st ON st.item_id = i.id
WHERE i.pair = ?1 OR i.id = (SELECT pair FROM journal_items WHERE id = ?1)
"""


def _pair(ctx: Context, pieces: Sequence[ChangeItem], why: Mapping[int, str]) -> None:
    """The two halves of a move go together: nothing is taken out of one store that was not put back into
    the other. A half whose other half never took effect goes alone; `why` tells why one cannot go."""
    mine = {piece.undoes_item: piece for piece in pieces}
    place = {id(piece): number for number, piece in enumerate(pieces)}
    for piece in pieces:
        for other, stands in ctx.db.rows(_HALVES, (piece.undoes_item,)):
            mate = mine.get(other)
            if mate is not None and place[id(mate)] < place[id(piece)]:
                piece.pair = mate
            if stands and (mate is None or mate.refused is not None):
                reason = why.get(other, "") if mate is None else str(mate.refused and mate.refused.message)
                told = f"The other half of the move stays: {reason or 'it cannot be taken back.'}"
                piece.refused = piece.refused or Refused("changed-since", told)
            elif stands and piece.after.get("here") is False:
                piece.needs = mate


def _is_of_its_own(piece: ChangeItem) -> bool:
    """Whether a change wrote to the memory itself, which stayed in the store, and not only to its entity."""
    plan, adapter = piece.plan, piece.adapter
    if plan is None or adapter is None or plan.ref_after is None:
        return False
    return plan.ref is None or not set(plan.changes) <= set(adapter.entity)


def _elsewhere(ctx: Context, each: memory_rows.MirrorRow, item: int, effective_item: int) -> str:
    """Why what `item`, carried out last by `effective_item`, took out of a store is not its to put back now."""
    if each.moved is None:
        return "it is in its store again."
    newer = ctx.db.one(
        "SELECT 1 FROM journal_items i JOIN journal j ON j.id = i.journal_id "
        "JOIN item_states st ON st.item_id = i.id WHERE i.memory_id = ? AND i.id > ? AND st.effective_item > ? "
        "AND j.kind IN ('dismissed', 'superseded', 'resolved') AND st.state = 'done' "
        "AND st.undone_by IS NULL",
        (each.id, item, effective_item),
    )
    return "it was dismissed again since; undo that first." if newer else ""


def _foreign(ctx: Context, store: StoreRow) -> frozenset[str]:
    adapter = _adapter_or_none(ctx, store)
    return frozenset() if adapter is None else adapter.fields | adapter.restorable_fields


def _adapter_or_none(ctx: Context, store: StoreRow) -> Any:
    try:
        return ctx.adapter(store)
    except Refused:
        return None


def _load(ctx: Context, piece: ChangeItem, plan: str) -> None:
    try:
        piece.adapter = ctx.adapter(piece.store)
        assert piece.adapter is not None
        piece.plan = planned(piece.adapter, plan)
    except Refused as refusal:
        piece.refused = refusal


def _since(
    each: memory_rows.MirrorRow, left: dict[str, Any], *, foreign: bool, adapter_fields: frozenset[str]
) -> str:
    """What changed since a change left these fields as `left`; the store's own are its adapter's to judge."""
    for name, value in left.items():
        if name == "here":
            if value != (each.removed_at is None):
                return "it is no longer where the change left it."
            continue
        if name in NO_FIELDS or (foreign and (name in adapter_fields or name == "status")):
            continue
        now = getattr(each.memory, name)
        if now != value and not (isinstance(now, dict) or isinstance(value, dict)):
            return f"its {name} changed since."
    return ""


def _later_words(ctx: Context, each: memory_rows.MirrorRow, store: StoreRow, item: int) -> str:
    """Why a memory cannot go with `item`, by which it came; what its entity is called does not go with it."""
    adapter = _adapter_or_none(ctx, store)
    own = [name for name in EDITABLE if adapter is None or name not in adapter.entity]
    return prior_writes.later_words(each.memory, prior_writes.since(ctx, each.id, item), own)


def _of_tie(each: memory_rows.MirrorRow, left: Any, back: Any) -> str:
    """What changed since a change left a relation that memtui keeps as `left`, where it is to be `back`."""
    ties = each.memory.ties
    if left is not None and left not in ties:
        return "the relation was changed since."
    ways = [(tie["kind"], tie["to"]) for tie in ties if tie != left]
    if back is not None and (back["kind"], back["to"]) in ways:
        return "they are related so by another change."
    return ""


def _reverse(ctx: Context, pieces: Sequence[ChangeItem]) -> None:
    """Turn the plans of foreign pieces into those that take them back, store by store."""
    groups: dict[int, list[ChangeItem]] = {}
    for piece in pieces:
        if piece.plan is not None and piece.refused is None:
            groups.setdefault(piece.store.id, []).append(piece)
    for group in groups.values():
        adapter = group[0].adapter
        assert adapter is not None
        try:
            answers = adapter.reverse(_as_called(ctx, adapter, group))
        except Refused as refusal:
            answers = [refusal for _ in group]
        except OSError as trouble:
            answers = [atomic_write.refusal(trouble) for _ in group]
        for piece, answer in zip(group, answers, strict=True):
            if isinstance(answer, Planned):
                piece.plan = answer
            else:
                piece.refused = answer
                piece.plan = None


def _as_called(ctx: Context, adapter: Adapter, group: Sequence[ChangeItem]) -> list[Planned]:
    """The plans with the current names of their entities, which may have been renamed since."""
    held = [piece.held for piece in group if piece.held is not None]
    plans = renamed.with_current_names(
        ctx.db, adapter, [piece.plan for piece in group if piece.plan is not None], held
    )
    items = [piece.undoes_item for piece in group if piece.undoes_item is not None]
    plans = renamed.with_ends(ctx.db, adapter, group[0].store.id, plans, items)
    return [
        plan if plan.ref_after is None else replace(plan, ref_after=each.memory.ref or plan.ref_after)
        for plan, each in zip(plans, held, strict=True)
    ]
