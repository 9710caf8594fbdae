"""Summaries of changes, for the journal and the status line (S-50)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from memtui.memory.results import Change, Skipped
from memtui.values import Fields
from memtui.workspace.changes import wording
from memtui.workspace.changes.change_item import ChangeItem, Outcome
from memtui.workspace.changes.planning import group_by_store
from memtui.workspace.journal.items import RELATION, RELATION_OVERRIDES
from memtui.workspace.mirror import relation_overrides

Describe: TypeAlias = Callable[[Sequence[ChangeItem], bool], str]
"""Returns what was done to these items, for the status line."""

# The kind of a journal entry, by action.
KINDS = {
    "pin": "pinned",
    "reason": "pinned",
    "unpin": "unpinned",
    "snooze": "snoozed",
    "wake": "woken",
    "confirm": "confirmed",
    "dismiss": "dismissed",
    "forget": "forgotten",
    "restore": "restored",
    "edit": "edited",
    "add": "added",
    "relate": "related",
    "unrelate": "unrelated",
    "retie": "retied",
    "supersede": "superseded",
}


def summary(action: str, items: Sequence[ChangeItem]) -> str:
    """Return what is requested and where, for the journal.

    It contains nothing of the memories themselves, not even a file's name, since those can be purged. How
    many of them were changed is known from the states of the items.
    """
    return _summary(action, items, len(items), files=False)


def outcome_summary(
    action: str,
    items: Sequence[ChangeItem],
    total: int,
    describe: Describe | None = None,
    *,
    stopped: bool = False,
) -> str:
    """Return what was done to these of `total` memories: "Edited 2 of 3 memories in founder-os:acme
    (memory.db)", or what `describe` says instead, with what the user must know."""
    notes = dict.fromkeys(item.plan.text for item in items if item.plan is not None and item.plan.text)
    overrides = (
        override
        for item in items
        if item.plan is not None
        for override in item.after.get(RELATION_OVERRIDES) or ()
    )
    if names := relation_overrides.describe(overrides):
        notes[wording.overrides_kept(names)] = None
    written = [item for item in items if item.plan is not None] if action in ("add", "edit") else []
    if local := dict.fromkeys(name for item in written for name in item.local_fields):
        notes[wording.fields_kept(local)] = None
    if describe is None:
        done = _summary(action, items, total, files=True, stopped=stopped)
    else:
        done = describe(items, stopped)
    return "; ".join((done, *notes))


def _summary(
    action: str, items: Sequence[ChangeItem], total: int, *, files: bool, stopped: bool = False
) -> str:
    kinds = {kind for item in items for kind in _relation_kinds(item)}
    places = _places(items, files=files)
    return wording.done_summary(
        action,
        wording.count_of(len(items), total, stopped=stopped),
        sorted(kinds),
        ", ".join(places),
        in_store_first=next(iter(places.values()), False),
    )


def _relation_kinds(item: ChangeItem) -> set[str]:
    """Return the kinds of the relations that a change is about: "supports → refines" where it changes one."""
    before, after = item.before.get(RELATION), item.after.get(RELATION)
    if before and after and before["kind"] != after["kind"]:
        return {wording.changed_kind(_kind(before), _kind(after))}
    sides = (item.before, item.after)
    overrides = [each for side in sides for each in side.get(RELATION_OVERRIDES) or ()]
    return {_kind(each) for each in (before, after, *overrides) if each}


def _kind(relation: Fields) -> str:
    return str(relation["kind"]) or wording.NO_RELATION_KIND


def places_of(items: Sequence[ChangeItem], *, files: bool) -> str:
    """Return where the items were written: "in founder-os:acme (memory.db), kept in memtui"."""
    return ", ".join(_places(items, files=files))


def _places(items: Sequence[ChangeItem], *, files: bool) -> dict[str, bool]:
    """Return where the items were written, and whether that is a store."""
    places: dict[str, bool] = {}
    for group in group_by_store(items):
        plans = [item.plan for item in group if item.plan is not None]
        adapter = group[0].adapter
        store = group[0].store.name
        if plans and adapter is not None and files:
            places[wording.in_store(store, adapter.target_names(plans[:3]))] = True
        elif plans or adapter is None or group[0].refused is not None or _is_to_be_written(group):
            places[wording.in_store(store)] = True
        else:
            places[wording.KEPT_IN_MEMTUI] = False
    return places


def _is_to_be_written(group: Sequence[ChangeItem]) -> bool:
    """Return whether a store holds fields of items that are not planned yet."""
    return any(item.plan is None and item.local_fields.keys() < item.after.keys() for item in group)


def change_of(
    action: str,
    outcome: Outcome,
    skipped: Sequence[Skipped],
    unreached: int = 0,
    describe: Describe | None = None,
) -> Change:
    """Return a verb's result, which was stopped before `unreached` memories; raise the first refusal if
    nothing was done."""
    done = require_done(outcome)
    refused = [
        Skipped(item.row.memory.uid, item.row.label, item.refused.code, item.refused.message)
        for item in outcome.items
        if item.refused is not None and item.row is not None
    ]
    left = (*skipped, *refused)
    ids = tuple(item.memory_id for item in done)
    total = len(ids) + len(left) + unreached
    summary = outcome_summary(action, done, total, describe, stopped=unreached > 0) + outcome.pending_note
    return Change(KINDS[action], ids, summary, outcome.entry_id, left, unreached)


def require_done(outcome: Outcome) -> list[ChangeItem]:
    """Return the items that were carried out; raise the first refusal if there are none."""
    done = outcome.done
    if not done:
        refusal = outcome.items[0].refused
        assert refusal is not None
        raise refusal
    return done
