"""The contract that every store format implements.

A format reads top to bottom: recognise, read, write, what each action does, what the doctor checks. It
only defines how a change looks in its bytes or rows; carrying changes out atomically, judging a half-done
one after a crash, and undoing one belong to the medium (`media/files`, `media/sqlite`) and are the same
for all formats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from memtui.errors import Refused
from memtui.formats.checkup import records
from memtui.formats.contract import wording
from memtui.formats.contract.incoming import Incoming
from memtui.formats.contract.incremental import Snapshot, WholeSnapshot
from memtui.formats.contract.plans import Fitted, PastWrite, Plan, PriorWrite, Receipt, Write, WriteState
from memtui.formats.contract.recalling import Asked, Recalling
from memtui.formats.contract.records import UNSTORABLE, Reading, Record
from memtui.formats.contract.session_view import NO_TASK, Content, SessionView, Task
from memtui.memory.encoding import iso
from memtui.memory.memory import LIVE
from memtui.memory.secrets.redaction import Replacements, is_telling, slug
from memtui.memory.stores import Finding
from memtui.values import FieldValue, Json, JsonObject


class SupportKind(StrEnum):
    """Where the effect of an action is kept (S-8)."""

    NATIVE = "native"  # the format has a field for it
    MOVED = "moved"  # removed from the store, kept in the workspace, restorable
    WORKSPACE = "workspace"  # kept by memtui alone


class RelationFate(StrEnum):
    """What happens to a memory's relations in the store when the memory is dismissed."""

    STAY = "stay"
    GO = "go"  # removed with the memory, and restored with it
    DANGLE = "dangle"  # those in its own text go with it; those of others dangle meanwhile


@dataclass(frozen=True, slots=True)
class Support:
    """What an action does in a store.

    `text` completes the sentence "Dismiss …" for the user, `label` is the same for a table. `status` is the
    memory's new status, where the action does nothing else.
    """

    kind: SupportKind
    text: str
    status: str = ""
    short: str = ""  # of `text`, where a table needs other words

    @property
    def label(self) -> str:
        """What the action does, as a cell of a table."""
        return self.short or self.text

    @staticmethod
    def by_memtui(label: str) -> Support:
        """Return support by memtui alone; `label` says what is kept there and why."""
        return Support(SupportKind.WORKSPACE, wording.IS_KEPT.format(kept=label), short=label)

    @staticmethod
    def by_status(status: str) -> Support:
        """Return native support by a status of the store's own."""
        return Support(SupportKind.NATIVE, wording.SETS_STATUS.format(status=status), status)


class Adapter(ABC):
    """One attached store of one format. Opens what it needs in each call and keeps nothing open."""

    on_step: Callable[[], None] = staticmethod(lambda: None)
    """Called before a change of a batch is planned, and before a file or the rows of a change are written.
    What it raises ends the batch as it is: only for a store that is thrown away then."""

    format: ClassVar[str]  # "founder-os"
    title: ClassVar[str]  # "Founder OS"
    recognised_by: ClassVar[str]  # completes "Looked for: …": what recognise() needs to see
    usual_paths: ClassVar[tuple[str, ...]] = ()  # where a folder may hold such a store
    # Where such stores are on a machine (S-3): patterns below ~ or the working folder (.), or the
    # $NAME of a variable.
    known_places: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[frozenset[str]] = frozenset()  # what a change may set in the store itself
    # The fields of an entity, to which several memories belong; its name first. They change for all of them.
    entity_fields: ClassVar[tuple[str, ...]] = ()
    # Fields that the store's program sets with every write of a memory: alone they are no news.
    incidental_fields: ClassVar[frozenset[str]] = frozenset()
    has_folders: ClassVar[bool] = False  # whether the folders of its files mean something to a person
    counts_uses: ClassVar[bool] = False  # whether the store itself counts the uses of a memory
    # Whether it keeps when a memory was given to an agent, or for what, but not how often.
    notes_uses: ClassVar[bool] = False
    recalling: ClassVar[Recalling] = Recalling()  # how its own programs give its memories to agents
    # Beside `fields`, what an add can set when it restores a memory that an agent removed.
    restorable_fields: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[tuple[str, ...]] = ("item",)  # of memories, that an add can write
    # What an edit cannot clear, since every memory of the format has it.
    required_fields: ClassVar[frozenset[str]] = frozenset({"confidence"})
    # How the format states that the user is the source of a new memory, where its writer does not.
    user_source: ClassVar[Mapping[str, FieldValue]] = {}
    unique_keys: ClassVar[bool] = False  # whether two memories of one owner may not have the same key
    unique_subjects: ClassVar[bool] = False  # whether a memory is stored under its subject alone
    categories: ClassVar[tuple[str, ...]] = ()  # the only ones the format allows; () is any
    fallback_category: ClassVar[str] = ""  # in a copy, for a memory of a category that the format lacks
    statuses: ClassVar[tuple[str, ...]] = ()  # of live memories, as far as the format tells them apart
    # The fields of a memory after a dismissal, and after a supersession, where that is native.
    dismissal: ClassVar[Mapping[str, FieldValue]] = {"status": "dismissed"}
    supersession: ClassVar[Mapping[str, FieldValue]] = {"status": "dismissed"}
    # The fields of a memory after it expired, where the format supports that; {"here": False}: it leaves
    # the store.
    expiry: ClassVar[Mapping[str, FieldValue] | None] = None
    # Whether it keeps a record of why a memory was deleted, and by whom: the action forget.
    records_deletions: ClassVar[bool] = False
    # The fields in which a secret can be redacted; None: the format cannot redact.
    redactable_fields: ClassVar[frozenset[str] | None] = None
    # Whether a redaction renames the files of a memory that are named after its texts.
    redacts_names: ClassVar[bool] = False
    unread_files: ClassVar[frozenset[str]] = frozenset()  # files beside its own that are never opened
    lifecycle: ClassVar[str] = "memtui"  # by whose rules a memory's numbers change (SPEC 4)
    incoming: ClassVar[Incoming] = Incoming()  # what an agent's write is to what is there (S-85)
    relation_kinds: ClassVar[tuple[str, ...]] = ()  # the only ones the format allows; () is any
    relation_fields: ClassVar[frozenset[str]] = frozenset()  # which of strength, context, body it stores
    # What each finding of the format's reader means for the agent or the user, by code, in one plain
    # sentence; `severe_findings` are the codes of findings that leave agents with less than they stored.
    finding_help: ClassVar[Mapping[str, str]] = {}
    severe_findings: ClassVar[frozenset[str]] = frozenset()
    # Those that nobody has to act on: the doctor lists them, the Inbox does not.
    harmless_findings: ClassVar[frozenset[str]] = frozenset()
    # The programs that are given a text of the store when a session starts; where there are none, `at_start`
    # says in a sentence what an agent does instead (S-72).
    clients: ClassVar[tuple[str, ...]] = ()
    agent_title: ClassVar[str] = ""  # the name of such a program for people
    view_depends_on_task: ClassVar[bool] = False  # whether that text depends on what the agent is asked to do
    at_start: ClassVar[str] = ""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    @abstractmethod
    def recognise(cls, path: Path) -> Path | None:
        """Return the store's root if `path` is one, judged by content, else None. Changes nothing."""

    @classmethod
    @abstractmethod
    def create(cls, path: Path) -> Path:
        """Create an empty store at `path`, which does not exist or is an empty folder; return its root.

        `recognise` accepts the result. Raises OSError, after removing what was created so far.
        """

    # -- reading

    @abstractmethod
    def read(self) -> Reading:
        """Return the whole content. Tolerates what is malformed and adds a finding for it."""

    def fingerprint(self) -> str:
        """Return a cheap fingerprint of the whole store from file metadata; "" where it cannot prove that
        nothing changed."""
        return ""

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Yield one moment of the store, of which only the changed units need to be read."""
        yield WholeSnapshot(self.read())

    @abstractmethod
    def read_refs(self, refs: Sequence[str]) -> dict[str, Record]:
        """Return the current records of these refs; refs that do not exist are left out."""

    @classmethod
    def ref_depends_on_text(cls, ref: str) -> bool:
        """Return whether the ref is derived from the content, so that an agent's rewording looks like a
        removal and an addition."""
        return False

    # -- what an agent is given

    def content(self) -> Content:
        """Return all that `session_view` needs of the store at this moment."""
        return self.read()

    def content_after(
        self, content: Content, plans: Sequence[Plan], records: Mapping[str, Record | None]
    ) -> Content:
        """Return the content as it would be once `plans`, made on it, are carried out; nothing is written.

        `records` are the memories that change, by ref as they are in `content`; None for one that leaves.
        """
        assert isinstance(content, Reading)
        kept = [records.get(each.ref, each) for each in content.records]
        known = {each.ref for each in content.records}
        added = [each for ref, each in records.items() if ref not in known]
        return Reading(records=[each for each in (*kept, *added) if each is not None])

    def session_view(self, content: Content, now: float, task: Task = NO_TASK) -> SessionView | None:
        """Return what an agent is given of this content when a session starts at `now`, None where its client
        loads nothing. A pure function (S-72)."""
        return None

    # -- checking

    def age_findings(self, reading: Reading, now: float) -> Iterator[Finding]:
        """Yield findings that depend on the time `now`: a row past its expiry keeps its status (SPEC 3)."""
        for record in reading.records:
            live = record.fields.get("status", "confirmed") in LIVE and record.removed_at is None
            for name in ("expires_at", "valid_to") if live else ():
                at = record.fields.get(name)
                if at is not None and at < now:
                    yield Finding("past-expiry", record.place, wording.past_expiry((iso(at) or "")[:10]))
                    break

    def checkup(self, reading: Reading, now: float) -> Iterator[Finding]:
        """Yield what the doctor alone checks for, in `reading` and in the store's own bytes or columns."""
        yield from records.check(reading, now)
        yield from records.secrets_in(self.texts(reading))

    def texts(self, reading: Reading) -> Iterator[tuple[str, str]]:
        """Yield (place, text) of everything in the store that could contain a secret."""
        return records.texts(reading)

    def stored_values(self, place: str) -> Mapping[str, Json]:
        """Return the values of a memory's fields as they are stored at its place, where a text may be a value
        of another type."""
        return {}

    # -- what is possible

    def unsupported_version(self) -> str:
        """Return why the store's version is too new for this program, "" if it is not. Such a store is
        only read (S-90)."""
        return ""

    def locked_reason(self) -> str:
        """Return why the store cannot be written, "" if it can."""
        return ""

    def lock_code(self) -> str:
        """Return the code of why it cannot be written: read-only, newer-schema, trigger."""
        return "read-only"

    @classmethod
    def derived_from_secret(cls, value: str, new: str) -> Mapping[str, str]:
        """Return what the format's programs make of a secret value where they repeat a text, as a keyword or
        a name, each with what takes its place where the value becomes `new`."""
        words = slug(value)
        return {words: slug(new)} if is_telling(words) else {}

    def repeats(self, ref: str, redacted: Replacements) -> bool:
        """Return whether something beside the store's memories has one of the values, so that it is redacted
        with a memory that has none itself any more."""
        return False

    @classmethod
    def refusal_reason(cls, action: str, kind: str) -> str:
        """Return why an action cannot be done on memories of a kind (an episode), "" where it can."""
        return ""

    @abstractmethod
    def support_for(self, action: str, name: str = "") -> Support:
        """Return what `action` does in the store; for edit, `name` is the field. Never raises."""

    def fields_of(self, kind: str) -> frozenset[str]:
        """Return what a change may set in the store itself in a memory of this kind."""
        return self.fields

    def addable_fields(self, kind: str) -> frozenset[str]:
        """Return what an add may set in the store itself in a memory of this kind."""
        return self.fields_of(kind) | self.restorable_fields

    @staticmethod
    def key_for(fields: Mapping[str, FieldValue]) -> str:
        """Return the key that an add of a memory with these fields gives it, as far as they tell: its own, or
        where the format gives each memory one, one that is made of the others."""
        return str(fields.get("key") or "")

    def relation_fate(self, content: str) -> RelationFate:
        """Return what happens to the relations of a memory with this text when it is dismissed."""
        return RelationFate.STAY

    def notice_after(self, write: Write) -> str:
        """Return what the user must know once the change is made (where the old text still is), or ""."""
        return ""

    def check(self, write: Write) -> None:
        """Raise Refused where the format forbids a value (a category, a length)."""
        for name, value in write.fields.items():
            if isinstance(value, str) and UNSTORABLE.search(value):
                raise wording.unstorable_text(name)
            if value is None and write.action == "edit" and name in self.required_fields:
                raise wording.required_field(name, self.title)
        category = write.fields.get("category")
        if category is not None and self.categories and category not in self.categories:
            raise wording.unknown_category(str(category), self.title, self.categories)

    def fit(self, fields: Mapping[str, FieldValue]) -> Fitted:
        """Return which fields of a memory of another store an add can set here, and how; the rest is kept
        in the workspace."""
        allowed = (self.fields | self.restorable_fields) - {"ref"}
        out = Fitted({name: value for name, value in fields.items() if name in allowed})
        category = fields.get("category")
        if "category" in allowed and self.categories and category not in self.categories:
            out.fields["category"] = self.fallback_category
            if category:
                out.changed["category"] = (category, self.fallback_category)
        return out

    # -- writing

    def count_uses(self, refs: Sequence[str], now: float, asked: Asked | None = None) -> Mapping[str, int]:
        """Count one more use of each memory, now, where the store itself counts or notes uses, in one write
        (S-34). Return how often each was used, by ref, where the store counts that. Not journaled.

        Raises Refused, and then nothing was counted.
        """
        raise wording.counts_no_uses(self.title)

    @abstractmethod
    def plan(self, writes: Sequence[Write]) -> list[Plan | Refused]:
        """Work the writes out, each on top of those before it. Writes nothing.

        Returns for each write a plan or the refusal (a Conflict where the store's values are no longer
        those that were seen).
        """

    @abstractmethod
    def added_record(self, plan: Plan) -> Record:
        """Return the record of a planned add as it would be read from the store; nothing is written there."""

    @abstractmethod
    def apply(self, plans: Sequence[Plan], token: str) -> Receipt:
        """Carry out all plans or none. `token` is part of the names of hidden files of this write.

        Raises Refused if the store is no longer what the plans were made on.
        """

    @abstractmethod
    def reverse(self, plans: Sequence[Plan]) -> list[Plan | Refused]:
        """Return plans that undo carried-out `plans`, which are given last first."""

    def with_current_names(self, plan: Plan, now: Callable[[str], str]) -> Plan:
        """Return a plan to undo, with the entities that its relations lead to under the names that `now`
        gives for their old ones."""
        return plan

    def with_prior_writes(self, plan: Plan, prior: tuple[PriorWrite, ...]) -> Plan:
        """Return a carried-out plan with the newest writes to the store, so that undoing it also resets
        what only accompanies a change (its time) to the value before writes that were undone."""
        return replace(plan, prior_writes=prior)

    def redact_history(self, writes: Sequence[PastWrite], redacted: Replacements) -> list[Plan | None]:
        """Return carried-out plans as if the values of `redacted` had never been in the store, but for the
        memories that hold them still: undone, they lead to what was there but for these values. `writes` are
        all writes to the store, newest first; None for a plan that cannot be kept."""
        return [None for _ in writes]

    @abstractmethod
    def write_state(self, plans: Sequence[Plan], token: str) -> WriteState:
        """Return how far an interrupted write got, and remove the hidden files of `token`."""

    @abstractmethod
    def finish(self, plans: Sequence[Plan], token: str) -> Receipt:
        """Complete a write whose state is PARTLY or AFTER, and return its receipt."""

    @abstractmethod
    def target_names(self, plans: Sequence[Plan]) -> str:
        """Return the names of the files that these plans write to, for the user."""

    def write_back(self) -> bool:
        """Have the log of a database written back into its file, so that neither keeps what was overwritten;
        return whether nobody who reads it prevented that."""
        return True

    @abstractmethod
    def dump_plan(self, plan: Plan) -> JsonObject:
        """Convert a plan to JSON."""

    @abstractmethod
    def load_plan(self, data: JsonObject) -> Plan:
        """Convert a plan from JSON."""
