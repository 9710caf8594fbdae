"""Memories that come in from a file or another store, and what becomes of each (S-74)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memtui.values import Fields


@dataclass(frozen=True, slots=True)
class Imported:
    """A memory as a reader found it: values of RECORD_FIELDS. `line` is 1-based, 0 in a store; `source` names
    the file, or the place in a store. `ignored` are the names of fields that no memory has. `uid` and
    `superseded_by` are the uids that an export of memtui gives the memory and what replaced it, else ""."""

    line: int
    fields: Fields
    ignored: tuple[str, ...] = ()
    source: str = ""
    uid: str = ""
    superseded_by: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a file that is no memory, and why; `reason` is a sentence."""

    line: int
    code: str
    reason: str
    source: str = ""


class Verdict(StrEnum):
    """What an imported memory is to those that are there."""

    NEW = "new"
    SAME = "same"  # the target has it, or an earlier line of the import
    NEAR = "near"  # a duplicate in other words, or in another store
    CONTRADICTING = "contradicting"
    FLAGGED = "flagged"  # contains a secret
    REFUSED = "refused"  # cannot be added


TAKEN_IF_ASKED = (Verdict.NEAR, Verdict.CONTRADICTING, Verdict.FLAGGED)


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One memory of an import with its verdict.

    `code` and `reason` say why it is not new; `other` is the uid of the memory that it repeats or
    contradicts, "" for an earlier line. `fields` is empty for what is no memory. `label` is raw text. `uid`
    and `superseded_by` are as in `Imported`.
    """

    source: str
    line: int
    label: str
    fields: Fields
    verdict: Verdict
    code: str = ""
    reason: str = ""
    other: str = ""
    uid: str = ""
    superseded_by: str = ""

    def is_taken(self, take: tuple[Verdict, ...]) -> bool:
        """Return whether it is added if those of `take` are, besides new ones."""
        return self.verdict is Verdict.NEW or (self.verdict in TAKEN_IF_ASKED and self.verdict in take)


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import into `store` would do.

    `ignored` counts the fields that no memory has, by name; `not_compared` memories are past those that are
    compared with others before they are added.
    """

    store: str
    items: tuple[ImportItem, ...]
    ignored: Mapping[str, int] = field(default_factory=dict)
    not_compared: int = 0

    @property
    def counts(self) -> dict[Verdict, int]:
        """The number of items by verdict; all verdicts are there."""
        found = Counter(each.verdict for each in self.items)
        return {verdict: found[verdict] for verdict in Verdict}
