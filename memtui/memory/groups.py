"""Groups of a list of memories: by entity, folder, category or store (S-31)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import NamedTuple

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


class Member(NamedTuple):
    """What of a memory decides its group. A tuple, since a list may have a million."""

    id: int
    name: str
    store: str
    category: str
    changed_at: float | None
    contradicted: bool = False
    duplicate: bool = False


def grouped(members: list[Member], *, across_stores: bool) -> Grouped:
    """Return a list in groups, in the order in which their first members are listed.

    Members with the same name are one group, `across_stores` or only within a store.

    >>> tea, ink = Member(1, "Ana", "s", "fact", None), Member(2, "Bo", "s", "fact", None)
    >>> found = grouped([tea, ink, Member(3, "Ana", "s", "rule", None)], across_stores=False)
    >>> list(found.ids), [(g.name, g.kind, g.start, g.count) for g in found.groups]
    ([1, 3, 2], [('Ana', '', 0, 2), ('Bo', 'fact', 2, 1)])
    """
    by_key: dict[tuple[str, str], list[Member]] = {}
    for member in members:
        by_key.setdefault(("" if across_stores else member.store, member.name), []).append(member)
    ids = array("q")
    groups = []
    for (_, name), found in by_key.items():
        kinds, stores = {each.category for each in found}, {each.store for each in found}
        times = [each.changed_at for each in found if each.changed_at is not None]
        group = Group(
            name=name,
            kind=found[0].category if len(kinds) == 1 else "",
            store=found[0].store if len(stores) == 1 else "",
            newest=max(times, default=None),
            start=len(ids),
            count=len(found),
            contradictions=sum(each.contradicted for each in found),
            duplicates=sum(each.duplicate for each in found),
        )
        groups.append(group)
        ids.extend(each.id for each in found)
    return Grouped(ids, tuple(groups))
