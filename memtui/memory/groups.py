"""Groups of a list of memories: by entity, folder, category or store (S-31)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

ENTITY, FOLDER, CATEGORY, STORE = "entity", "folder", "category", "store"
GROUPINGS = (ENTITY, FOLDER, CATEGORY, STORE)
FLAT = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that are listed under one heading.

    `name` is raw: show it through safe_text. `kind` and `store` are the category and the store that all of
    them have, else "". `start` is the place of the first one in the list, `newest` the latest time of a
    change in Unix seconds; `contradictions` and `duplicates` count those of them with an open pair.
    """

    name: str
    kind: str
    store: str
    newest: float | None
    start: int
    count: int
    contradictions: int = 0
    duplicates: int = 0

    @property
    def id(self) -> tuple[str, str]:
        """What identifies the group when the list is read again."""
        return self.store, self.name


@dataclass(frozen=True, slots=True)
class Grouped:
    """A list whose memories are in the order of its groups."""

    ids: array[int]
    groups: tuple[Group, ...]


Member: TypeAlias = tuple[int, str, str, str, float | None]
"""What of a memory decides its group: its id, the group's name, its store, its category, when it was changed.
A plain tuple, as a query returns it, since a list may have a million."""


class _Found:
    """A group while its members are read."""

    __slots__ = ("ids", "kind", "newest", "store")

    def __init__(self, id: int, store: str, kind: str, changed_at: float | None) -> None:
        self.ids, self.store, self.kind, self.newest = [id], store, kind, changed_at


def grouped(
    members: Iterable[Member],
    *,
    across_stores: bool,
    contradicted: frozenset[int] = frozenset(),
    duplicate: frozenset[int] = frozenset(),
) -> Grouped:
    """Return a list in groups, in the order in which their first members are listed.

    Members with the same name are one group, `across_stores` or only within a store. `contradicted` and
    `duplicate` are the ids with an open pair, of whatever group.

    >>> tea, ink = (1, "Ana", "s", "fact", None), (2, "Bo", "s", "fact", None)
    >>> found = grouped([tea, ink, (3, "Ana", "s", "rule", None)], across_stores=False)
    >>> list(found.ids), [(g.name, g.kind, g.start, g.count) for g in found.groups]
    ([1, 3, 2], [('Ana', '', 0, 2), ('Bo', 'fact', 2, 1)])
    """
    by_key: dict[tuple[str, str], _Found] = {}
    for id, name, store, category, changed_at in members:
        key = "" if across_stores else store, name
        found = by_key.get(key)
        if found is None:
            by_key[key] = _Found(id, store, category, changed_at)
            continue
        found.ids.append(id)
        if found.kind != category:
            found.kind = ""
        if across_stores and found.store != store:
            found.store = ""
        if changed_at is not None and (found.newest is None or changed_at > found.newest):
            found.newest = changed_at
    ids = array("q")
    groups = []
    for (_, name), found in by_key.items():
        group = Group(
            name=name,
            kind=found.kind,
            store=found.store,
            newest=found.newest,
            start=len(ids),
            count=len(found.ids),
            contradictions=len(contradicted.intersection(found.ids)) if contradicted else 0,
            duplicates=len(duplicate.intersection(found.ids)) if duplicate else 0,
        )
        groups.append(group)
        ids.extend(found.ids)
    return Grouped(ids, tuple(groups))
