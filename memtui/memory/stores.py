"""Stores, what was found in them, and their backups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """Something unusual that a reader met in a store and left as it was (S-91).

    `about` is the name it is about, `names` all memories and kinds of a relation it mentions; `and_more`
    says that it also represents others like it. Code compares these, never the text.
    """

    code: str
    place: str
    text: str
    about: str = ""
    names: tuple[str, ...] = ()
    and_more: bool = False


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """One attached store, as the header and `memtui stores` show it. Times are Unix seconds."""

    name: str
    format: str
    path: str
    count: int
    read_only: str = ""
    pulled_at: float | None = None
    error: str = ""
    findings: tuple[Finding, ...] = ()
    locked: bool = False  # made read-only by the user
    changed_at: float | None = None  # when a pull last found news
    attached_at: float | None = None
    error_code: str = ""  # of `error`: busy, damaged, missing …
    is_missing: bool = False  # nothing exists at its path any more


@dataclass(frozen=True, slots=True)
class AddTarget:
    """What a new memory can be in one attached store.

    `read_only` is why none can be added, "" if one can. `fields` maps each kind of memory to what the store
    itself holds of it; the rest is kept in memtui. `owners` are those of its memories where the format names
    one; `categories` the only ones it allows, () for any.
    """

    store: str
    count: int
    read_only: str
    fields: Mapping[str, frozenset[str]]
    owners: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscoveredStore:
    """A store in a known place that is not attached (S-3).

    `count` is its number of memories, None if it cannot be read; `problem` says why then, or how many
    findings its reader reported ("3 warnings").
    """

    format: str
    title: str
    path: str
    count: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """One issue that the doctor reports.

    `store` is "" for the workspace itself. `text` says what is wrong, `meaning` what follows from it,
    `repair` what the doctor would do ("" where only the user can). `severe` means that memories are lost or
    at risk. `about` is the name it is about; `names` are the keys a repair works on: a memory's uid, or a
    table and its owner.
    """

    store: str
    code: str
    place: str
    text: str
    meaning: str = ""
    repair: str = ""
    severe: bool = False
    about: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a store from before the day's first write (S-6).

    `size` is in bytes, `made_at` Unix seconds; `id` names it on the command line.
    """

    id: str
    store: str
    made_at: float
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of the header: live memories, all that are not removed, attached stores."""

    live: int
    all: int
    stores: int  # without memtui's own
    names: tuple[str, ...] = ()  # of the attached stores, memtui's own first
    holding: int = 0  # how many of them hold memories, removed ones too


@dataclass(frozen=True, slots=True)
class PullResult:
    """What a pull found.

    `changes` has (added, changed, removed) by store name, `errors` the error by store name. `postponed` names
    stores that are well but were being written: they are as last read. `relations` counts the changed
    relations of stores in which no memory changed. `names_itself` are stores whose error mentions their name.
    """

    changes: dict[str, tuple[int, int, int]]
    errors: dict[str, str]
    postponed: tuple[str, ...] = ()
    relations: dict[str, int] = field(default_factory=dict)
    names_itself: frozenset[str] = frozenset()

    @property
    def total(self) -> int:
        """The number of all additions, changes and removals."""
        return sum(sum(counts) for counts in self.changes.values()) + sum(self.relations.values())
