"""The contract that every store format follows.

A format file reads top to bottom: recognise, read, write, what each action does in words,
what the doctor looks for. It says only how a change looks in its bytes or rows; carrying
changes out atomically, judging a half-done one after a crash, and taking one back belong
to the medium (`files.py`, `sqlite.py`) and are the same for all formats.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from memtui.errors import NotSaved, Refused
from memtui.formats.checkup import records
from memtui.formats.contract.incremental import Look, WholeLook
from memtui.memory.encoding import iso, plain
from memtui.memory.memory import DEFAULTS, LIVE
from memtui.memory.stores import Finding

_UNHOLDABLE = re.compile("[\0\ud800-\udfff]")
_SPELLED = json.JSONEncoder(sort_keys=True, default=str).encode  # thousands of digests need one


class How(StrEnum):
    """Where an action lands (S-8)."""

    NATIVE = "native"  # the format has a field for it
    MOVED = "moved"  # taken out of the store, kept in the workspace, restorable
    WORKSPACE = "workspace"  # kept by memtui alone


class RelationFate(StrEnum):
    """What becomes of the relations that a store tells of a memory which is dismissed."""

    STAY = "stay"
    GO = "go"  # with the memory, and come back with it
    DANGLE = "dangle"  # its own go with its text; those of others lead nowhere meanwhile


@dataclass(frozen=True, slots=True)
class Support:
    """What an action does here: `words` complete the sentence "Dismiss …" for a person.
    `status` is what becomes of the memory's status, where that is all that happens."""

    how: How
    words: str
    status: str = ""

    @staticmethod
    def by_status(becomes: str) -> Support:
        """The store has a status that says so."""
        return Support(How.NATIVE, f"sets its status to {becomes}", becomes)


@dataclass(frozen=True, slots=True)
class Record:
    """One memory as its store tells it.

    `fields` holds names from `RECORD_FIELDS` only. `anchor` is the name by which the
    store's relations mean this record. `place` is where it stands, for a person; `at` is
    (file, byte offset of its first byte) for files, -1 where it is the file as a whole; unused
    for rows.
    """

    ref: str
    fields: Mapping[str, Any]
    anchor: str = ""
    place: str = ""
    at: tuple[str, int] = ("", 0)
    removed_at: float | None = None
    unit: str = field(default="", compare=False)  # the part of the store that it was read in
    bare: bool = False  # stands only where nothing else does (an entity without observations)
    _digest: str = field(default="", init=False, repr=False, compare=False)  # once it was asked for

    @property
    def digest(self) -> str:
        """Sixteen hex digits over all that the record says; place does not count."""
        if not self._digest:
            said = [self.ref, self.anchor, self.removed_at, plain(dict(self.fields))]
            mark = hashlib.blake2b(_SPELLED(said).encode(), digest_size=8).hexdigest()
            object.__setattr__(self, "_digest", mark)
        return self._digest

    def is_as(self, was: Record) -> bool:
        """Whether the record stands where the other one did and says the same."""
        return (self.unit, self.ref, self.anchor, self.removed_at, self.fields) == (
            *(was.unit, was.ref, was.anchor, was.removed_at, was.fields),
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A relation as its store tells it, between anchors; either end may dangle.

    `strength` is 0–1, `context` a line of why, `body` a text of its own (an edge's description)."""

    source: str
    kind: str
    target: str
    strength: float | None = None
    context: str = ""
    body: str = ""
    unit: str = field(default="", compare=False)  # the part of the store that tells it


@dataclass(frozen=True, slots=True)
class SideRecord:
    """What stands beside memories in their store and is shown with them: a reinforcement, a line of
    history, an adaptation, a policy.

    `about` is the anchor of the memory that it belongs to; with `via`, the value of that field of
    all memories that it belongs to (a policy: via="owner"). `words` are one line for a person, `at` Unix
    seconds. A contradiction names the anchor of the `other` memory, and whether it is `settled`."""

    kind: str
    about: str
    words: str
    at: float | None = None
    via: str = ""
    unit: str = field(default="", compare=False)  # the part of the store that tells it
    other: str = ""
    settled: bool = False


@dataclass(slots=True)
class Reading:
    """All that a store says at one moment, and what was odd in it."""

    records: list[Record] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    asides: list[SideRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    unread: list[str] = field(
        default_factory=list
    )  # units that cannot be read now, or folders of them ("a/")

    def take(self, other: Reading) -> None:
        """Add all that another part of the store says."""
        self.records += other.records
        self.links += other.links
        self.asides += other.asides
        self.findings += other.findings
        self.unread += other.unread

    def odd(self, code: str, place: str, words: str, about: str = "", *names: str) -> None:
        """Note something for the doctor, of the memories `names`; reading goes on."""
        named = (about, *names) if about else names
        self.findings.append(Finding(code, place, words, about, named))


def clean(text: str) -> str:
    """Text that a database can hold: NUL and lone surrogates become U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNHOLDABLE.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Write:
    """One memory's change, asked of the store.

    `action` is edit, confirm, pin, unpin, dismiss, restore, add, delete (a purge or a move, where a
    dismissal leaves the memory in its store), expire (its lifecycle ends it), relate, unrelate, retie or
    supersede. `fields` are the values to set, `seen` what fields said as last pulled: where the store's own
    differ, the write is a conflict. `now` is Unix seconds. `link` is the relation that relate makes and
    unrelate takes away; retie has it say that instead of what it `was`; supersede has the winner as its
    source and the memory itself as its target. `who` asked for it: person, agent:NAME, rule:NAME. `verdict`
    is what a person said of a pair (S-42), where the write is its part of that: keep, merge, discard-both; a
    dismissal then has the pair as its link, and its kind is REPEATS where the two say the same.
    """

    action: str
    ref: str
    fields: Mapping[str, Any]
    seen: Mapping[str, Any]
    now: float
    link: Link | None = None
    who: str = "person"
    verdict: str = ""
    was: Link | None = None


REPEATS = "repeats"  # of the link of a verdict: one memory says what the other does


@dataclass(frozen=True, slots=True)
class Planned:
    """A change worked out to the last byte or column, before anything is written.

    `edits` are the medium's own (FileEdit, RowEdit). `ref_after` is the record's identity
    once it is done, None where the record leaves the store. JSON in and out, so that an
    intent can be kept, judged after a crash, and taken back next week.
    """

    ref: str | None
    ref_after: str | None
    edits: tuple[Any, ...]
    words: str = ""
    also: tuple[str, ...] = ()  # whose records change with it, by anchor (an entity's category)
    changes: tuple[str, ...] = ()  # the fields that it changes
    left: str = ""  # the mark of what the record says once it is done
    removed: Mapping[str, Any] | None = None  # what the record said, where it leaves the store
    since: tuple[PriorWrites, ...] = field(default=(), compare=False)  # the store's newest writes; not kept


@dataclass(frozen=True, slots=True)
class PriorWrites:
    """One of a store's newest writes: `dead` if it is of no effect once the plan is taken back, `mine` if
    it is the plan itself, `undone` if it is a change that was taken back since. Those of one unit have the
    same `unit`; `back` is the unit that this one takes back. By a `returning` one a memory left that came
    back, or came back: both stand. A `redone` one is the change itself where the plan is a redo of it."""

    plan: Planned
    dead: bool
    mine: bool
    undone: bool = False
    unit: int = 0
    back: int | None = None
    returning: bool = False
    redone: bool = False


@dataclass(slots=True)
class Receipt:
    """What a carried-out change made of the store: records new or changed, and those that it was about;
    refs that left, and records that only took another ref (equal texts that were renumbered). `before` is
    what the same records said just before it, which may be news, and `stood` are the refs of all that was in
    the store then, None where nobody looked."""

    records: list[Record] = field(default_factory=list)
    before: list[Record] = field(default_factory=list)
    stood: Set[str] | None = None
    gone: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    links: list[Link] | None = None  # all that the store tells now; None where they stay as they were
    asides: list[SideRecord] | None = None  # likewise


@dataclass(frozen=True, slots=True)
class Fitted:
    """A memory of another store as this format can hold it: the `fields` of an add, and for those
    that it says otherwise what they said and say (S-82 copy)."""

    fields: dict[str, Any]
    changed: dict[str, tuple[Any, Any]] = field(default_factory=dict)


def unlike(record: Record, seen: Mapping[str, Any]) -> dict[str, Any]:
    """The fields in which a record is no longer what was seen, with what it says now."""
    now = {name: record.fields.get(name, DEFAULTS[name]) for name in seen}
    return {name: value for name, value in now.items() if value != seen[name]}


class Standing(StrEnum):
    """How a planned change stands in the store, judged after a crash (S-7)."""

    BEFORE = "before"
    AFTER = "after"
    PARTLY = "partly"
    OTHER = "other"


class Adapter(ABC):
    """One attached store of one format. Opens what it needs for each call and keeps nothing open."""

    format: ClassVar[str]  # "founder-os"
    title: ClassVar[str]  # "Founder OS"
    looked_for: ClassVar[str]  # completes "… looked for": what recognise() wants to see
    inside: ClassVar[tuple[str, ...]] = ()  # where a folder may hold such a store
    # Where such stores lie on a machine (S-3): patterns below ~ or the working folder (.), or the
    # $NAME of a variable.
    known_places: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[frozenset[str]] = frozenset()  # what a change may set in the store itself
    # The fields of what several memories belong to (an entity), its name first; they change for all of them.
    entity: ClassVar[tuple[str, ...]] = ()
    # Fields that its program sets with every write of a memory: alone they are no news.
    in_passing: ClassVar[frozenset[str]] = frozenset()
    counts_uses: ClassVar[bool] = False  # whether the store itself says how often a memory was used
    # Beside these: what else an add can set, where a memory that an agent took out is put back.
    restorable_fields: ClassVar[frozenset[str]] = frozenset()
    categories: ClassVar[tuple[str, ...]] = ()  # the only ones the format allows; () is any
    plain_category: ClassVar[str] = ""  # what a memory of a category that it lacks becomes in a copy
    statuses: ClassVar[tuple[str, ...]] = ()  # of live memories that it tells apart
    # What the fields of a dismissed memory become, and of one that gave way to another, where that is
    # native.
    dismissal: ClassVar[Mapping[str, Any]] = {"status": "dismissed"}
    supersession: ClassVar[Mapping[str, Any]] = {"status": "dismissed"}
    # What the fields of a memory become whose time is over, where the format has a way for that;
    # {"here": False}: it leaves the store.
    expiry: ClassVar[Mapping[str, Any] | None] = None
    lifecycle: ClassVar[str] = "memtui"  # by whose rules a memory's numbers change (SPEC 4)
    relation_kinds: ClassVar[tuple[str, ...]] = ()  # the only ones it allows; () is any
    relation_says: ClassVar[frozenset[str]] = frozenset()  # what of strength, context, body it holds
    # What each finding of its reader means for the agent or the person, by code, in one plain
    # sentence; `grave` are the codes by which agents get less than they were told to remember.
    meanings: ClassVar[Mapping[str, str]] = {}
    grave: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    @abstractmethod
    def recognise(cls, path: Path) -> Path | None:
        """The store's root if `path` is one, judged by content; None if not. Changes nothing."""

    @classmethod
    @abstractmethod
    def create(cls, path: Path) -> Path:
        """Make an empty store at `path`, where nothing stands yet or an empty folder does; its root.
        Whatever it makes, `recognise` knows. Raises OSError; what it had begun is taken away."""

    @abstractmethod
    def read(self) -> Reading:
        """Everything in the store. Tolerates what is odd and notes it."""

    def stamp(self) -> str:
        """A mark of the whole store by what the system says of its files, cheap; "" where it cannot
        be told that nothing changed."""
        return ""

    @contextmanager
    def look(self) -> Iterator[Look]:
        """One moment of the store, of which only what changed need be read."""
        yield WholeLook(self.read())

    @classmethod
    def named_by_text(cls, ref: str) -> bool:
        """Whether a memory is called after what it says, so that one who rewords it seems to remove it and
        to add another."""
        return False

    def aged(self, reading: Reading, now: float) -> Iterator[Finding]:
        """What time made odd in what the store says; a row past its expiry keeps its status (SPEC 3)."""
        for record in reading.records:
            live = record.fields.get("status", "confirmed") in LIVE and record.removed_at is None
            for name in ("expires_at", "valid_to") if live else ():
                at = record.fields.get(name)
                if at is not None and at < now:
                    words = f"It still stands there, though its time was over on {(iso(at) or '')[:10]}."
                    yield Finding("past-expiry", record.place, words)
                    break

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        """What only the doctor looks for in what was read, and in the store's own bytes or columns."""
        yield from records.look(reading, now)
        yield from records.secrets_in(self.texts(reading))

    def texts(self, reading: Reading) -> Iterator[tuple[str, str]]:
        """All that the store says, by place, as far as it could hold a secret."""
        return records.texts(reading)

    def newer(self) -> str:
        """Why the store is of a later version than this program knows; empty if it is not. Such a store
        is only read (S-90)."""
        return ""

    @abstractmethod
    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        """The records of these refs as they stand now; a missing ref is left out."""

    def afterword(self, write: Write) -> str:
        """What a person must know of a change once it is made, in words: where the old text is still
        held. "" where there is nothing."""
        return ""

    @classmethod
    def refuses(cls, action: str, kind: str) -> str:
        """Why an action cannot be done on memories of a kind (an episode), "" where it can."""
        return ""

    def parts_with(self, content: str) -> RelationFate:
        """What becomes of the relations of a memory with this text when it is dismissed."""
        return RelationFate.STAY

    @abstractmethod
    def supports(self, action: str, name: str = "") -> Support:
        """What `action` does here; for edit, `name` is the field. Never raises."""

    def count_uses(self, refs: Sequence[str], now: float) -> None:
        """One more use of each of these, now, where the store counts them itself (S-34). No news to
        anybody: nothing is journaled. Raises Refused, and then nothing was counted."""
        raise Refused("uses", f"{self.title} counts no uses.", "Nothing was changed.")

    def locked(self) -> str:
        """Why this store cannot be written; empty if it can."""
        return ""

    def lock_code(self) -> str:
        """The code of why it cannot be written: read-only, newer-schema, trigger."""
        return "read-only"

    def check(self, write: Write) -> None:
        """Raise Refused where the format forbids a value (a category, a length)."""
        for name, value in write.fields.items():
            if isinstance(value, str) and _UNHOLDABLE.search(value):
                raise NotSaved("text", f"the {name} holds a NUL or half a character.")
        category = write.fields.get("category")
        if category is not None and self.categories and category not in self.categories:
            raise Refused(
                "category",
                f"Invalid category: must be one of {', '.join(self.categories)}",
                "Nothing was changed.",
            )

    def fit(self, fields: Mapping[str, Any]) -> Fitted:
        """What of a memory of another store an add can set here, and how. What is left out goes to
        the workspace."""
        can = (self.fields | self.restorable_fields) - {"ref"}
        out = Fitted({name: value for name, value in fields.items() if name in can})
        category = fields.get("category")
        if "category" in can and self.categories and category not in self.categories:
            out.fields["category"] = self.plain_category
            if category:
                out.changed["category"] = (category, self.plain_category)
        return out

    @abstractmethod
    def plan(self, writes: Sequence[Write]) -> list[Planned | Refused]:
        """Work the writes out, each on top of those before it. Writes nothing.

        One entry a write: a plan, or the refusal (a Conflict where the store's own text is
        no longer what was seen)."""

    @abstractmethod
    def carry_out(self, plans: Sequence[Planned], token: str) -> Receipt:
        """Write all plans or none. `token` names the hidden files of this write.

        Raises Refused if the store is no longer what the plans were made on."""

    @abstractmethod
    def reverse(self, plans: Sequence[Planned]) -> list[Planned | Refused]:
        """Plans that take carried-out `plans` back, given last first."""

    def with_current_names(self, plan: Planned, now: Callable[[str], str]) -> Planned:
        """A plan to take back, where entities that its relations lead to are called otherwise by `now`."""
        return plan

    def without(self, plan: Planned, since: tuple[PriorWrites, ...]) -> Planned:
        """A carried-out plan in the light of the store's newest writes: what only goes along with a
        change (its time) is put back to what stood before those that were taken back, too."""
        return replace(plan, since=since)

    def fields_of(self, kind: str) -> frozenset[str]:
        """What a change may set in a memory of this kind in the store itself."""
        return self.fields

    @abstractmethod
    def standing(self, plans: Sequence[Planned], token: str) -> Standing:
        """How far a write that was cut off came; tidies the hidden files of `token` away."""

    @abstractmethod
    def finish(self, plans: Sequence[Planned], token: str) -> Receipt:
        """Complete a write that stands PARTLY or AFTER, and tell what it made of the store."""

    @abstractmethod
    def written(self, plans: Sequence[Planned]) -> str:
        """Where these plans write, for a person: file names."""

    @abstractmethod
    def dump(self, planned: Planned) -> dict[str, Any]:
        """A plan as JSON."""

    @abstractmethod
    def load_plan(self, data: Mapping[str, Any]) -> Planned:
        """A plan from JSON."""
