"""What a store holds, as its format reads it: memories, relations, side records."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from memtui.memory.encoding import plain
from memtui.memory.stores import Finding
from memtui.values import FieldValue

UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL and lone surrogates
_ENCODE = json.JSONEncoder(sort_keys=True, default=str).encode  # one for the thousands of digests of a pull


@dataclass(frozen=True, slots=True)
class Record:
    """One memory as read from its store.

    `fields` holds names from `RECORD_FIELDS` only. `anchor` is the name by which the store's relations
    refer to the record. `place` is its location as shown to the user; `position` is (file, byte offset of
    the first byte), with offset -1 for a record that is a whole file. Rows of a database have no position.
    """

    ref: str
    fields: Mapping[str, FieldValue]
    anchor: str = ""
    place: str = ""
    position: tuple[str, int] = ("", 0)
    removed_at: float | None = None
    unit: str = field(default="", compare=False)  # the part of the store that it was read from
    placeholder: bool = False  # exists only while there is nothing else (an entity without observations)
    _digest: str = field(default="", init=False, repr=False, compare=False)  # computed on first use

    @property
    def digest(self) -> str:
        """Sixteen hex digits over the record's content; `place` and `position` do not count."""
        if not self._digest:
            content = [self.ref, self.anchor, self.removed_at, plain(dict(self.fields))]
            digest = hashlib.blake2b(_ENCODE(content).encode(), digest_size=8).hexdigest()
            object.__setattr__(self, "_digest", digest)
        return self._digest

    def is_same_as(self, previous: Record) -> bool:
        """Return whether both records are in the same unit and have the same content."""
        return (self.unit, self.ref, self.anchor, self.removed_at, self.fields) == (
            previous.unit,
            previous.ref,
            previous.anchor,
            previous.removed_at,
            previous.fields,
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A relation between two anchors, as read from the store; either end may dangle.

    `strength` is 0–1, `context` one line that says why, `body` a text of the relation's own.
    """

    source: str
    kind: str
    target: str
    strength: float | None = None
    context: str = ""
    body: str = ""
    unit: str = field(default="", compare=False)  # the part of the store that it was read from


@dataclass(frozen=True, slots=True)
class SideRecord:
    """What a store keeps next to memories and is shown with them: a reinforcement, a history entry, an
    adaptation, a policy.

    `about` is the anchor of the memory that it belongs to; with `via`, the value of that field in all
    memories that it belongs to (a policy: via="owner"). `text` is one line for the user, `at` Unix seconds.
    A contradiction has the anchor of the `other` memory, and whether it is `settled`; so is the record of a
    deletion, whose memory is missing on purpose. `data` is what a policy says, as JSON of
    `memory/policies/stated.py`.
    """

    kind: str
    about: str
    text: str
    at: float | None = None
    via: str = ""
    unit: str = field(default="", compare=False)  # the part of the store that it was read from
    other: str = ""
    settled: bool = False
    data: str = ""


@dataclass(slots=True)
class Reading:
    """The content of a store, or of some of its units, at one moment, and what was wrong with it.

    `unread` names the units that cannot be read now, and folders of such units ("a/").
    """

    records: list[Record] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    side_records: list[SideRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def extend(self, other: Reading) -> None:
        """Add the content of another part of the store."""
        self.records += other.records
        self.links += other.links
        self.side_records += other.side_records
        self.findings += other.findings
        self.unread += other.unread

    def add_finding(self, code: str, place: str, text: str, about: str = "", *names: str) -> None:
        """Add a finding for the doctor; `about` and `names` are the memories or anchors it concerns."""
        named = (about, *names) if about else names
        self.findings.append(Finding(code, place, text, about, named))


def clean(text: str) -> str:
    """Return text that a database can store: NUL and lone surrogates become U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return UNSTORABLE.sub("\ufffd", text)


def numbered(ref: str, seen: Counter[str]) -> str:
    """Return a distinct ref for each of several that would be equal; no text can imitate the number."""
    ref = ref.replace("\x1f", "\ufffd")
    seen[ref] += 1
    return ref if seen[ref] == 1 else f"{ref}\x1f{seen[ref]}"


def unnumbered(ref: str) -> str:
    """Return what `numbered` was given for a ref: the same for all records that would have equal refs."""
    return ref.partition("\x1f")[0]
