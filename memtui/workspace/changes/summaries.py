"""What a change is called in the journal and on the status line (S-50)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.results import Change, Skipped
from memtui.text import plural
from memtui.workspace.changes import change_item
from memtui.workspace.changes.change_item import ChangeItem
from memtui.workspace.changes.planning import by_store
from memtui.workspace.journal.items import BESIDE, RELATION
from memtui.workspace.mirror import relation_overrides

KINDS = {
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


def summary(action: str, pieces: Sequence[ChangeItem]) -> str:
    """What is asked and where, without a word of the memories themselves: those can be erased, a
    file's name too. How many of them it became is read off their item_states."""
    return outcome(action, pieces, len(pieces), files=False)


def outcome(action: str, pieces: Sequence[ChangeItem], of: int, *, files: bool = True) -> str:
    """ "Edited 2 of 3 memories in founder-os:acme (memory.db)"."""
    count = f"{len(pieces):,}" if len(pieces) == of else f"{len(pieces):,} of {of:,}"
    noun = plural(of, "memory")
    ties = [each for p in pieces for each in (p.after.get(RELATION), p.before.get(RELATION)) if each]
    ties += [each for p in pieces for side in (p.after, p.before) for each in side.get(BESIDE) or ()]
    kinds = {str(tie["kind"]) or "without a kind" for tie in ties}
    how = f" ({', '.join(sorted(kinds))})" if kinds else ""
    places = _places(pieces, files=files)
    comma = "" if next(iter(places.values()), False) else ","
    told = f"{KINDS[action][1]} {count} {noun}{how}{comma} {', '.join(places)}"
    words = dict.fromkeys(piece.plan.words for piece in pieces if piece.plan is not None and piece.plan.words)
    notes = (note for p in pieces if p.plan is not None for note in p.after.get(BESIDE) or ())
    if files and (said := relation_overrides.words(notes)):
        words[f"kept in memtui: {said}"] = None
    beside = dict.fromkeys(name for p in pieces for name in p.ours) if files and action == "add" else {}
    if beside and pieces[0].adapter is not None:
        words[f"kept in memtui alone: {', '.join(beside)}"] = None
    return "; ".join((told, *words)) if files else told


def places_of(pieces: Sequence[ChangeItem], *, files: bool) -> str:
    """ "in founder-os:acme (memory.db), kept in memtui"."""
    return ", ".join(_places(pieces, files=files))


def _places(pieces: Sequence[ChangeItem], *, files: bool) -> dict[str, bool]:
    """Where changes were written, in words, and whether that is a store."""
    places: dict[str, bool] = {}
    for group in by_store(pieces):
        plans = [piece.plan for piece in group if piece.plan is not None]
        adapter = group[0].adapter
        store = group[0].store.name
        if plans and adapter is not None and files:
            places[f"in {store} ({adapter.written(plans[:3])})"] = True
        elif plans or adapter is None or group[0].refused is not None:
            places[f"in {store}"] = True
        else:
            places["kept in memtui"] = False
    return places


def change_of(action: str, done: change_item.Done, skipped: Sequence[Skipped]) -> Change:
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
    told = outcome(action, done.good, len(ids) + len(left)) + done.ending
    return Change(KINDS[action][0], ids, told, done.line, left)
