"""The records that every part of memtui passes around: frozen and plain."""

from __future__ import annotations

import base64
import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.memory.lifecycles.forecast import Forecast

LIVE = ("candidate", "pending", "confirmed", "applied")
STATUSES = (*LIVE, "superseded", "expired", "dismissed")

TIMES = (
    "event_time",
    "valid_from",
    "valid_to",
    "expires_at",
    "created_at",
    "updated_at",
    "last_used_at",
    "last_confirmed_at",
    "snoozed_until",
)
EDITABLE = ("content", "title", "category", "tags", "key", "subject")  # by a person
LISTS = ("tags", "steps", "preconditions", "postconditions", "key_facts", "ties")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, whatever store it stands in (SPEC section 3).

    Times are Unix seconds (UTC), confidence and importance 0–1 or None where the
    format has none. `ref` is the identity inside its store, `uid` ours: stable
    across pulls. `label` texts are derived and never stored.
    """

    uid: str
    store: str
    ref: str
    owner: str | None = None
    scope: str | None = None
    session_id: str | None = None
    kind: str = "item"
    category: str | None = None
    key: str | None = None
    subject: str | None = None
    title: str | None = None
    content: str = ""
    value: Any = None
    note: str | None = None
    snoozed_until: float | None = None
    tags: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    status: str = "confirmed"
    pinned: bool = False
    pinned_by: str | None = None
    pinned_why: str | None = None
    tier: str | None = None
    heat: str | None = None
    times_used: int = 0
    times_confirmed: int = 0
    promotion_count: int = 0
    source_type: str | None = None
    source_ref: str | None = None
    source_excerpt: str | None = None
    company_id: str | None = None
    event_time: float | None = None
    valid_from: float | None = None
    valid_to: float | None = None
    expires_at: float | None = None
    created_at: float | None = None
    updated_at: float | None = None
    last_used_at: float | None = None
    last_confirmed_at: float | None = None
    superseded_by: str | None = None
    steps: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    postconditions: tuple[str, ...] = ()
    key_facts: tuple[str, ...] = ()
    tone: str | None = None
    token_count: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    # Relations that only memtui keeps: {"kind", "to" (a uid), "strength", "context", "body"} each.
    ties: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All keys of section 3, times as ISO UTC text (S-82)."""
        out: dict[str, Any] = {}
        for name in MEMORY_FIELDS[:-1]:  # relations are told beside
            value = getattr(self, name)
            if name in TIMES:
                value = iso(value)
            elif name in LISTS:
                value = list(value)
            out[name] = value
        return {name: plain(value) for name, value in out.items()}


MEMORY_FIELDS = tuple(f.name for f in fields(Memory))
# What a format may say of a memory; the rest is the workspace's or derived.
RECORD_FIELDS = frozenset(MEMORY_FIELDS) - {"uid", "store", "ref"}
# What a field says where a format says nothing.
DEFAULTS: dict[str, Any] = {
    f.name: () if f.name in LISTS else {} if f.name == "extra" else f.default
    for f in fields(Memory)
    if f.name in RECORD_FIELDS
}


@dataclass(frozen=True, slots=True)
class Row:
    """The little of a memory that one line of a list shows; `id` is the workspace's row."""

    id: int
    store: str
    label: str
    category: str
    status: str
    confidence: float | None
    pinned: bool
    updated_at: float | None
    removed: bool
    score: float | None = None  # by its store's lifecycle, 0–1 (a vault's is more)
    fades: str = ""  # its label: active, fading, dormant, archived


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed, directed tie as its store tells it, or (`kept`) as memtui alone keeps it. `source` and
    `target` are names, which may dangle; `source_id` and `target_id` the workspace's rows where they
    resolve, with their uids. `beside` names what of it memtui keeps beside the store: "strength, why"."""

    source: str
    kind: str
    target: str
    strength: float | None = None
    context: str = ""
    source_id: int | None = None
    target_id: int | None = None
    body: str = ""
    kept: bool = False
    label: str = ""  # what stands for the memory at the other end, where its name is a mere number
    source_uid: str = ""
    target_uid: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Lineage:
    """Another memory that a field names: `kind` is superseded-by, supersedes, rests-on or carries (the
    other one rests on this). `id` is None where nothing bears the name; `state` is its status, or removed."""

    kind: str
    uid: str
    label: str
    id: int | None = None
    state: str = ""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something that is wrong with a memory, or odd: `words` say what in one sentence, never a secret
    itself; `other` is the row of the memory that it clashes with, if there is one."""

    code: str
    words: str
    other: int | None = None
    other_uid: str = ""


@dataclass(frozen=True, slots=True)
class RelatedRecord:
    """A record that stands beside a memory in its store: a reinforcement, an adaptation, a line of
    history; `words` are one line, raw."""

    kind: str
    words: str
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a memory's history or of the journal, ready to show.

    `state` is done, intended, refused, failed or undone; `why` belongs to the last three.
    `label` stands for the memory where it is one alone. `before` and `after` are the fields of one memory
    that it touched; None where they were erased, or not asked for. `change` is the summary of the change
    that was undone or redone.
    """

    id: int
    at: float
    actor: str
    kind: str
    summary: str
    state: str = "done"
    why: str = ""
    undoes: int | None = None
    count: int = 1
    store: str = ""
    undoable: bool = False
    label: str = ""
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    change: str = ""


@dataclass(frozen=True, slots=True)
class EventItem:
    """What a journal line did to one memory: fields before and after, values as in records. `names` are of
    the memories that these values name, as `change_words` has them."""

    uid: str
    label: str
    store: str
    state: str
    why: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Detail:
    """All that the detail pane shows of one memory.

    `place` says where it stands in words ("memory.jsonl, line 3"); `consequences` maps an
    action (pin, unpin, confirm, edit, dismiss, restore) to what it will do where, in words
    (S-8), and `edit FIELD` likewise; `blocked` maps an action that cannot work now to why.
    """

    id: int
    memory: Memory
    place: str
    path: str
    removed_at: float | None
    consequences: dict[str, str]
    blocked: dict[str, str]
    relations: tuple[Relation, ...] = ()
    history: tuple[Event, ...] = ()
    beside: tuple[RelatedRecord, ...] = ()
    forecast: Forecast | None = None
    lineage: tuple[Lineage, ...] = ()
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A memory that a change left as it was, and why."""

    uid: str
    label: str
    code: str
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one verb did (DESIGN wall 4): `ids` are the workspace's rows that changed."""

    kind: str
    ids: tuple[int, ...]
    summary: str
    journal_id: int | None = None
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Tying:
    """A kind of relation that one memory may have to another; `words` say what it would do where,
    `there` that it stands already; `why` where words of why go, if not with it; none are asked for
    where it does not `asks`."""

    kind: str
    words: str
    there: bool = False
    why: str = ""
    asks: bool = True


@dataclass(frozen=True, slots=True)
class TransferPreview:
    """What becomes of a memory in another store: `changed` fields with what they said and say, `kept`
    ones in memtui alone, `lost` ones and what stands beside it stay behind. `copy` is the new uid."""

    uid: str
    label: str
    changed: dict[str, tuple[Any, Any]]
    kept: tuple[str, ...]
    lost: tuple[str, ...]
    copy: str = ""


@dataclass(frozen=True, slots=True)
class TransferResult:
    """What copying or moving did, and what became of each memory."""

    change: Change
    carried: tuple[TransferPreview, ...]


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found: the workspace's rows in order, how it looked, and whether more match.

    `how` is a short text for the status line ("by words", "all, newest first"). With `capped`
    only the newest matches were looked at; `total` is then a lower bound. The last `related` of the
    rows do not answer the question, and are only near to it.
    """

    ids: array[int]
    total: int
    how: str
    capped: bool = False
    more: bool = False  # a part of a list, and another one follows
    related: int = 0


@dataclass(frozen=True, slots=True)
class Why:
    """Why a memory answers a query (S-33). `words` is how much of what is telling in it the memory
    says, 0 to 1, by the words `matched`; `place` its rank by words alone, None beyond the first;
    `cosine` how near it lies in meaning, None without a vector; `recency` its share of `score`;
    `filters` what was asked for beside the words, as typed."""

    score: float = 0.0
    words: float = 0.0
    matched: tuple[str, ...] = ()
    place: int | None = None
    cosine: float | None = None
    recency: float = 0.0
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recalled:
    """What an agent was given (S-34): memories, best first, each with why. `strategy` is keyword,
    semantic or hybrid, `how` what it came to in words; `line` is the row of the query log. The last
    `related` do not answer the question, and are only near to it."""

    memories: tuple[Memory, ...]
    why: tuple[Why, ...]
    strategy: str
    how: str
    line: int
    related: int = 0


@dataclass(frozen=True, slots=True)
class MeaningState:
    """How searching by meaning stands: `phase` is off, waiting, loading, ready or failed; `model` made
    the `known` vectors; `waiting` memories have none yet; `why` and `hint` where something is wrong."""

    phase: str
    model: str
    known: int
    waiting: int
    why: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """The header's numbers: live memories, all but removed, attached stores beside our own."""

    live: int
    all: int
    stores: int
    names: tuple[str, ...] = ()  # of the attached stores, our own first


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull brought, per store name: (added, changed, removed); `errors` per store; `later` are well,
    but were being changed: they are as last read. `relations` are how many are others now in stores where
    no memory is."""

    news: dict[str, tuple[int, int, int]]
    errors: dict[str, str]
    later: tuple[str, ...] = ()
    relations: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """All additions, changes and removals."""
        return sum(sum(counts) for counts in self.news.values()) + sum(self.relations.values())


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd that a reader met and left as it was (S-91); `about` is the name that it is about.

    `names` are all memories and kinds of a relation that it speaks of, `and_more` that it stands for others
    like it that it does not name: whoever checks the same reads these, never the words.
    """

    code: str
    place: str
    words: str
    about: str = ""
    names: tuple[str, ...] = ()
    and_more: bool = False


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """One attached store, as `stores list` and the header tell it."""

    name: str
    format: str
    path: str
    count: int
    read_only: str = ""
    pulled_at: float | None = None
    error: str = ""
    findings: tuple[Finding, ...] = ()
    locked: bool = False  # read-only by a person's word
    changed_at: float | None = None  # when news last came from it
    attached_at: float | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A store in a known place that is not attached (S-3). `count` is of its memories, None if it
    cannot be read; `trouble` says why then, or what is odd in it ("3 odd things")."""

    format: str
    title: str
    path: str
    count: int | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """One finding of the doctor. `store` is "" for the workspace itself; `words` says what is so,
    `meaning` what follows from it, `mend` what the doctor would do ("" where a person must).
    `grave`: memories are lost or at risk; else it is only odd. `about` is the name that it is about, `names`
    are the rows that a repair goes by: a memory's uid, a table and the one that it belongs to."""

    store: str
    code: str
    place: str
    words: str
    meaning: str = ""
    mend: str = ""
    grave: bool = False
    about: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of a store as it was before the day's first write (S-6). `size` in bytes, `made_at`
    Unix seconds; `id` names it on the command line."""

    id: str
    store: str
    made_at: float
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge erased: `count` memories; `backups` still hold their text."""

    count: int
    summary: str
    backups: tuple[Backup, ...] = ()
    notes: tuple[str, ...] = ()


UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class SinceItem:
    """What agents did to one memory since the person last looked (S-53): `what` is added, changed,
    removed, or unreadable where the journal cannot tell; fields before and after as in records, over all
    that happened in between."""

    memory_id: int
    uid: str
    store: str
    label: str
    what: str
    at: float
    line: int
    before: dict[str, Any]
    after: dict[str, Any]
    content: str = ""  # what it says now, or said when it left
    overwritten: bool = False  # a change that was made in memtui is gone, as `line` says
    names: Mapping[str, str] = field(default_factory=dict)  # of whom its values name

    @property
    def word(self) -> str:
        """`what`, or that what was dismissed is back."""
        was, now = self.before.get("status", LIVE[0]), self.after.get("status")
        return "restored" if self.what == "changed" and was not in LIVE and now in LIVE else self.what


@dataclass(frozen=True, slots=True)
class Since:
    """What agents did since the person last looked; `upto` is the journal's line up to which all of it is
    told, and `more` whether there is some behind that."""

    items: list[SinceItem]
    upto: int
    more: bool = False


def iso(seconds: float | None) -> str | None:
    """Unix seconds as ISO 8601 UTC text with `Z`; None stays None, years outside 1–9999 too."""
    if seconds is None:
        return None
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    text = moment.isoformat(timespec="milliseconds" if seconds % 1 else "seconds")
    return text.replace("+00:00", "Z")


_SIMPLE = (str, int, bool, type(None))


def plain(value: Any, depth: int = 0) -> Any:
    """A value that JSON can hold; bytes become base64 text, what is nested beyond sense its text."""
    if depth > 100:
        return "…"
    if type(value) in _SIMPLE:  # most are
        return value
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


_RULE = re.compile(r"[-=*_~#+`.|:>\s]*")
"""A line or title that only parts others."""


def label_of(title: str | None, subject: str | None, content: str) -> str:
    """The one line that stands for a memory in a list; raw, so pass it through safe_text."""
    if title and not _RULE.fullmatch(title):
        return title
    line = first_line(content)
    if subject and line and subject.casefold() not in line.casefold():
        return f"{subject}: {line}"
    return line or subject or title or "(empty)"


def first_line(text: str) -> str:
    """The first line that says something: no rule, fence or head's edge; if none does, the first one."""
    lines = (line.strip() for line in text.splitlines())
    edge = ""
    for line in lines:
        if not _RULE.fullmatch(line):
            return line
        edge = edge or line
    return edge
