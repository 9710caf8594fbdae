"""What the verbs of the workspace return."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

from memtui.memory.memory import Memory
from memtui.memory.replacement import Hit
from memtui.memory.stores import Backup
from memtui.values import FieldValue


@dataclass(frozen=True, slots=True)
class Skipped:
    """A memory that a change left as it was, and why."""

    uid: str
    label: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one verb did; `ids` are the rows of the workspace that changed. It was stopped before it reached
    `unreached` memories."""

    kind: str
    ids: tuple[int, ...]
    summary: str
    journal_id: int | None = None
    skipped: tuple[Skipped, ...] = ()
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class StorePreview:
    """What a verb would do to memories of one store: it would change `count` of them, as `text` says (it
    completes "Dismiss …"); `blocked` maps why others would stay as they are to how many those are.

    `local` means that memtui alone keeps the change.
    """

    store: str
    count: int
    text: str = ""
    local: bool = False
    blocked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """What a purge or a redaction erased: it is done in the memories with these `ids`; `backups` still have
    it, `notes` say where else it may be. It was stopped before it reached `unreached` memories. `deleted`
    backups had it."""

    ids: tuple[int, ...]
    summary: str
    backups: tuple[Backup, ...] = ()
    notes: tuple[str, ...] = ()
    unreached: int = 0
    deleted: int = 0

    @property
    def count(self) -> int:
        """In how many memories it is done."""
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Redacting:
    """What a redaction would do in a memory: `secrets` are (field, what takes the secret's place), `numbers`
    the fields in which a number becomes a text; `refused` says why it cannot be done. With `backup`, its
    store is backed up first, and that copy has the secrets."""

    uid: str
    store: str
    label: str
    secrets: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...] = ()
    refused: str = ""
    backup: bool = False


@dataclass(frozen=True, slots=True)
class TransferPreview:
    """What becomes of a memory in another store.

    `changed` has the fields whose value changes, as (before, after); `kept` fields are kept in memtui
    alone; `lost` ones stay behind, and so do `left` records related to it, numbers by their kind.
    `copy_uid` is the uid of the copy.
    """

    uid: str
    label: str
    changed: dict[str, tuple[FieldValue, FieldValue]]
    kept: tuple[str, ...]
    lost: tuple[str, ...]
    copy_uid: str = ""
    left: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TransferResult:
    """What copying or moving did, and what became of each memory; `originals` are the rows of those that were
    copied or moved."""

    change: Change
    previews: tuple[TransferPreview, ...]
    originals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SplitPreview:
    """What splitting a memory would do; `where` is a sentence on where each part goes.

    `relations` are those that somebody may be asked about, `keys` the keys of the new memories.
    """

    uid: str
    store: str
    parts: tuple[str, ...]
    where: str
    keys: tuple[str, ...] = ()
    relations: int = 0
    reworded: bool = False  # whether the parts have other words than the memory


@dataclass(frozen=True, slots=True)
class ReplacingMemory:
    """A memory in which a text is replaced, and where; `id` is its row in the workspace.

    `seen` has the fields in question as they were searched: what differs since is not replaced. Of those, the
    store cannot hold `kept`, so memtui keeps the new values.
    """

    id: int
    uid: str
    store: str
    label: str
    hits: tuple[Hit, ...]
    seen: Mapping[str, FieldValue]
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplacePreview:
    """The memories in which a text can be replaced; `skipped` have hits, or took too long to be searched."""

    memories: tuple[ReplacingMemory, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Hits:
    """What a search found: rows of the workspace, in order.

    `how` is a short text for the status line ("by text", "all, newest first"). With `capped` only the
    newest matches were ranked, and `total` is a lower bound. The last `related` rows do not answer the
    query, but are close to it.
    """

    ids: array[int]
    total: int
    how: str
    capped: bool = False
    more: bool = False  # part of a list, of which another part follows
    related: int = 0
    sort: str = ""  # the order that `how` names, if it does


@dataclass(frozen=True, slots=True)
class MatchReason:
    """Why a memory answers a query (S-33).

    `coverage` is the share of the query's term weight that the memory contains, 0–1, through `terms`;
    `rank` its rank by words alone, None beyond the first; `cosine` its similarity to the
    query, None without a vector; `recency` its share of `score`; `filters` the query's filters, as typed.
    """

    score: float = 0.0
    coverage: float = 0.0
    terms: tuple[str, ...] = ()
    rank: int | None = None
    cosine: float | None = None
    recency: float = 0.0
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The memories given to an agent (S-34), best first, each with its reason.

    `strategy` is keyword, semantic or hybrid, `how` describes what was done; `log_id` is the row of the
    query log, 0 for none. The last `related` memories do not answer the query, but are close to it.
    `contradicted` has the uids of what openly contradicts a memory and may be read as well, by uid.
    """

    memories: tuple[Memory, ...]
    reasons: tuple[MatchReason, ...]
    strategy: str
    how: str
    log_id: int = 0
    related: int = 0
    contradicted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """The state of searching by meaning.

    `phase` is off, waiting, loading, ready or failed; `model` made the `embedded` vectors; `pending` memories
    have none yet; `error` and `hint` explain a failure.
    """

    phase: str
    model: str
    embedded: int
    pending: int
    error: str = ""
    hint: str = ""
