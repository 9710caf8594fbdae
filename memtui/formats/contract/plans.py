"""Changes to a store: what is requested, the plan that results, and what carrying it out did."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum

from memtui.formats.contract.records import Link, Record, SideRecord
from memtui.memory.memory import DEFAULTS
from memtui.memory.secrets.redaction import Replacements
from memtui.values import Fields, FieldValue, Opaque

REPEATS = "repeats"  # the kind of a verdict's link where the two memories say the same


@dataclass(frozen=True, slots=True)
class Write:
    """A requested change to one memory.

    `action` is edit, redact, confirm, pin, unpin, dismiss, restore, add, delete (a purge or a move, where a
    dismissal leaves the memory in its store), forget (a delete with a record of it, where the format keeps
    such records), expire (its lifecycle ends it), relate, unrelate, retie or supersede. `fields` are the
    values to set; `seen` are the values as last pulled: where the store's own differ, the write is a
    conflict. `now` is Unix seconds.

    `link` is the relation that relate adds and unrelate removes; retie puts it in place of `previous_link`;
    supersede has the winner as its source and the memory itself as its target. `who` requested the change:
    person, agent:NAME, rule:NAME. `verdict` is the verdict on a pair (S-42) that the write is part of: keep,
    merge, discard-both; a dismissal then has the pair as its link, with kind REPEATS for duplicates.
    `with_entity` has the entity of a memory that leaves go with it, with its relations, if this is its last.
    Redact sets fields as edit does, and takes the values of `redacted` out of all else that says what the
    memory says (a description, a line of an index).

    `incoming` is set for what an agent stores, states again or edits: the store then has all that its own
    call would write along. An add may have `against`, a relation to each memory of the store that it
    contradicts; the new memory is its source, and has no name yet. `vector` is the embedding of its text, if
    there is a model; `session` is the session of the agent that calls, if it is known.
    """

    action: str
    ref: str
    fields: Mapping[str, FieldValue]
    seen: Mapping[str, FieldValue]
    now: float
    link: Link | None = None
    who: str = "person"
    verdict: str = ""
    previous_link: Link | None = None
    with_entity: bool = False
    redacted: Replacements | None = None
    incoming: bool = False
    against: tuple[Link, ...] = ()
    vector: tuple[float, ...] = ()
    session: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A change worked out to the last byte or column, before anything is written.

    `edits` belong to the medium (FileEdit, RowEdit). `ref` is None for an added memory, `ref_after` for one
    that leaves the store. A plan can be converted to JSON and back: it is kept in the outbox, judged after a
    crash, and undone later.
    """

    ref: str | None
    ref_after: str | None
    edits: tuple[Opaque, ...]
    text: str = ""  # what the user must know once it is done
    affected_anchors: tuple[str, ...] = ()  # other records change with it (an entity's category)
    changed_fields: tuple[str, ...] = ()
    digest_after: str = ""  # of the record once the plan is carried out
    removed_fields: Mapping[str, FieldValue] | None = None  # of the record, where it leaves the store
    prior_writes: tuple[PriorWrite, ...] = field(default=(), compare=False)  # newest first; not stored
    redacted: Replacements | None = field(default=None, compare=False)  # of a redaction; not stored


@dataclass(frozen=True, slots=True)
class PastWrite:
    """A carried-out plan, as a redaction sees it: whether it is a redaction itself, whose plan is not kept,
    and whether its memory `holds` one of the values still, and keeps it."""

    plan: Plan
    is_redaction: bool = False
    holds: bool = False


@dataclass(frozen=True, slots=True)
class PriorWrite:
    """One of the newest writes to a store, as seen by a plan that is about to be undone.

    `reverted` is set if the write has no effect any more once the plan is undone; `own` if it is the plan
    itself; `undone` if its change was undone since; `redo` if it is the same change where the plan is a redo
    of it. Writes of one journal entry share its `unit`; `undoes` is the unit that this one undoes.
    `round_trip` is set for the two writes by which a memory left the store and came back.
    """

    plan: Plan
    reverted: bool
    own: bool
    undone: bool = False
    unit: int = 0
    undoes: int | None = None
    round_trip: bool = False
    redo: bool = False


@dataclass(slots=True)
class Receipt:
    """What a carried-out change did to the store.

    `records` are new or changed, or were the subject of the change; `before` is the content of the same
    records just before it, which may be news, and `refs_before` all refs that the store had then (None where
    that is unknown). `removed_refs` left the store; `renamed` maps refs that only changed (equal texts that
    were renumbered). `links` and `side_records` are all that the store has now, or None if unchanged.
    """

    records: list[Record] = field(default_factory=list)
    before: list[Record] = field(default_factory=list)
    refs_before: Set[str] | None = None
    removed_refs: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    links: list[Link] | None = None
    side_records: list[SideRecord] | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A memory of another store as a format can hold it (S-82 copy).

    `fields` are those of an add; `changed` maps each field that had to change to (original, stored)."""

    fields: Fields
    changed: dict[str, tuple[FieldValue, FieldValue]] = field(default_factory=dict)


def differing_fields(record: Record, seen: Mapping[str, FieldValue]) -> Fields:
    """Return the record's values of the fields that are no longer as they were seen."""
    now = {name: record.fields.get(name, DEFAULTS[name]) for name in seen}
    return {name: value for name, value in now.items() if value != seen[name]}


class WriteState(StrEnum):
    """How much of a plan is in the store, judged after a crash (S-7)."""

    BEFORE = "before"  # nothing
    AFTER = "after"  # all
    PARTLY = "partly"
    OTHER = "other"  # something else is there
