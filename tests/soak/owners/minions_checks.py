"""Checks of what a verb did to the minions, and did not do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from tests.soak.owners.minions_owner import Minion, MinionSet, searched, slug_of, text_of
from tests.soak.owners.texts import marks_of

FieldsOf = Callable[[Minion], Mapping[str, Any]]
Check = Callable[[MinionSet, MinionSet, object], str]
_RELATED = {"memory-index", "memory-contradiction", "memory-reinforcement", "memory-expiry"}
_VOLATILE = {"updatedAt", "searchableText"}  # members of the envelope that any write may change


def changed(ref: str, fields: FieldsOf, envelope: Mapping[str, Any] | None = None) -> Check:
    """Return a check that a memory has these fields, and is otherwise unchanged."""
    outside = envelope or {}

    def check(before: MinionSet, after: MinionSet, _: object) -> str:
        old, new = before.minions[ref], after.minions[ref]
        expected = {name: value for name, value in {**old, **outside}.items() if value is not None}
        expected["fields"] = {**old["fields"], **fields(old)}
        names = [each for each in expected.keys() | new.keys() if expected.get(each) != new.get(each)]
        if wrong := set(names) - _VOLATILE:
            values = {each: (new.get(each), expected.get(each)) for each in wrong}
            return f"it does not say what it must: {values}"
        return unexpected_changes(before, after, {ref})

    return check


def deleted(ref: str) -> Check:
    """Return a check that a memory is marked as deleted."""

    def check(before: MinionSet, after: MinionSet, _: object) -> str:
        if not after.minions[ref].get("deletedAt"):
            return "it is not deleted"
        return unexpected_changes(before, after, {ref}, touched=False)

    return check


def searchable(ref: str) -> Check:
    """Return a check of the text that the SDK searches: a memory must be found by its current texts, and not
    by its old ones."""

    def check(before: MinionSet, after: MinionSet, _: object) -> str:
        return search_problem(before.minions.get(ref), after.minions[ref])

    return check


def search_problem(old: Minion | None, new: Minion) -> str:
    """Return what is wrong with the text that the SDK searches, for a memory with older texts."""
    words, where = _searchable_text(new), searched(new)
    missing = [word for word in words.split() if word not in where]
    stale = [mark for mark in marks_of(_searchable_text(old) if old else "") if mark in marks_of(where)]
    stale = [mark for mark in stale if mark not in marks_of(words)]
    found = f"the SDK's search looks in {where!r}"
    if missing:
        return f"{found}, which lacks {missing[:5]} of {words!r}"
    return f"{found}, which still says {stale}" if stale else ""


def _searchable_text(minion: Minion) -> str:
    key = str(minion["fields"].get("key") or "")
    return f"{minion['title']} {key} {text_of(minion)}".lower()


def unexpected_changes(
    before: MinionSet, after: MinionSet, refs: Collection[str], *, touched: bool = True
) -> str:
    """Return which minions changed, were added or removed that are neither these memories nor belong to
    them."""
    own = set(refs).union(*(each.about(ref) for each in (before, after) for ref in refs))
    both = before.minions.keys() | after.minions.keys()
    others = [id for id in both - own if before.minions.get(id) != after.minions.get(id)]
    if others:
        return f"others changed: {[(before.minions.get(id), after.minions.get(id)) for id in others]}"
    added = [each for id, each in after.minions.items() if id not in before.minions and id not in refs]
    if unrelated := [each for each in added if slug_of(each) not in _RELATED]:
        return f"added with it: {unrelated}"
    if touched and not any(
        slug_of(after.minions[id]) == "memory-index" for ref in refs for id in after.about(ref)
    ):
        return "it was written without an index"
    return ""
