"""What a verb must have made of the minions, and what not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from tests.soak.owners.minions_owner import MinionSet, Minion, searched, slug_of, text_of
from tests.soak.owners.texts import marks_of

FieldsOf = Callable[[Minion], Mapping[str, Any]]
Check = Callable[[MinionSet, MinionSet, object], str]
_BESIDE = {"memory-index", "memory-contradiction", "memory-reinforcement", "memory-expiry"}
_MOVES = {"updatedAt", "searchableText"}  # members of the envelope that any write may renew


def changed(ref: str, fields: FieldsOf, envelope: Mapping[str, Any] | None = None) -> Check:
    """What is wrong where a memory must say these members, and else what it said."""
    outside = envelope or {}

    def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
        was, now = before.minions[ref], after.minions[ref]
        wanted = {name: value for name, value in {**was, **outside}.items() if value is not None}
        wanted["fields"] = {**was["fields"], **fields(was)}
        names = [each for each in wanted.keys() | now.keys() if wanted.get(each) != now.get(each)]
        if odd := set(names) - _MOVES:
            told = {each: (now.get(each), wanted.get(each)) for each in odd}
            return f"it does not say what it must: {told}"
        return unexpected_changes(before, after, {ref})

    return wrong


def deleted(ref: str) -> Check:
    """What is wrong where a memory must be marked as deleted."""

    def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
        if not after.minions[ref].get("deletedAt"):
            return "it is not deleted"
        return unexpected_changes(before, after, {ref}, touched=False)

    return wrong


def searchable(ref: str) -> Check:
    """What is wrong with what the SDK searches in: by all that a memory says it must be found, by what it
    no longer says it must not."""

    def wrong(before: MinionSet, after: MinionSet, _: object) -> str:
        return search_problem(before.minions.get(ref), after.minions[ref])

    return wrong


def search_problem(was: Minion | None, now: Minion) -> str:
    """What is wrong with what the SDK searches in, of a memory that said something else before."""
    words, where = _searchable_text(now), searched(now)
    missing = [word for word in words.split() if word not in where]
    stale = [mark for mark in marks_of(_searchable_text(was) if was else "") if mark in marks_of(where)]
    stale = [mark for mark in stale if mark not in marks_of(words)]
    said = f"the SDK's search looks in {where!r}"
    if missing:
        return f"{said}, which lacks {missing[:5]} of {words!r}"
    return f"{said}, which still says {stale}" if stale else ""


def _searchable_text(minion: Minion) -> str:
    key = str(minion["fields"].get("key") or "")
    return f"{minion['title']} {key} {text_of(minion)}".lower()


def unexpected_changes(before: MinionSet, after: MinionSet, refs: Collection[str], *, touched: bool = True) -> str:
    """Which minions changed, came or went that are neither these memories nor what belongs to them."""
    mine = set(refs).union(*(each.about(ref) for each in (before, after) for ref in refs))
    both = before.minions.keys() | after.minions.keys()
    odd = [id for id in both - mine if before.minions.get(id) != after.minions.get(id)]
    if odd:
        return f"others changed: {[(before.minions.get(id), after.minions.get(id)) for id in odd]}"
    came = [each for id, each in after.minions.items() if id not in before.minions and id not in refs]
    if wrong := [each for each in came if slug_of(each) not in _BESIDE]:
        return f"came beside it: {wrong}"
    if touched and not any(
        slug_of(after.minions[id]) == "memory-index" for ref in refs for id in after.about(ref)
    ):
        return "it was written without an index"
    return ""
