"""What all verbs share: the open database, the actor, the clock, and the adapters."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter
from memtui.memory.ranking import DEFAULT, DEFAULT_RECALL, TOP_K, RecallWeights, Weights
from memtui.workspace import wording
from memtui.workspace.db.database import Database
from memtui.workspace.db.leases import Leases
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.vectors.model import SemanticModel

NATIVE = "native"


def _no_progress(store: str, part: float) -> None:
    """The default of `on_progress`."""


def no_step(name: str) -> None:
    """The default of `on_step`, which is called between the steps of a unit; tests kill the process there."""


def _nothing_to_finish() -> None:
    """The default of `finish_writes`, which the workspace sets when it opens."""


def _nothing_gives_way(since: Mapping[int, int]) -> bool:
    """The default of `give_way`, which the workspace sets when it opens."""
    return False


@dataclass(slots=True)
class Context:
    """The state of one open workspace that its verbs share; `actor` is who the journal names."""

    path: Path
    db: Database
    leases: Leases
    clock: Callable[[], float]
    new_id: Callable[[], str]
    model: SemanticModel
    actor: str = "person"
    read_only: str = ""
    on_step: Callable[[str], None] = no_step
    on_progress: Callable[[str, float], None] = _no_progress  # a store's name, the share read
    writing: threading.RLock = field(default_factory=threading.RLock)
    warned: int = 0  # the journal entry that was reported as not undoable
    stale: set[int] = field(default_factory=set)  # ids of stores found to differ from the last pull
    weights: Weights = DEFAULT  # of words and meaning
    top_k: int = TOP_K  # candidates by words, and by meaning
    recall_weights: RecallWeights = DEFAULT_RECALL  # besides relevance, for agents
    projects: tuple[str, ...] = ()  # tags that name projects
    half_lives: Mapping[str, float] = field(default_factory=dict)  # days by category (S-25)
    founder_os_daily: bool = False  # which reading of its decay (S-20)
    sessions: tuple[int, dict[int, int], int] | None = (
        None  # of agents, cached up to an entry of the recall log
    )
    finish_writes: Callable[[], object] = _nothing_to_finish  # settles writes of dead processes
    # Takes back what rules did to memories, each after an item of the journal; says whether it did anything.
    give_way: Callable[[Mapping[int, int]], bool] = _nothing_gives_way
    closing: threading.Event = field(default_factory=threading.Event)  # asks long reads to stop

    def adapter(self, store: StoreRow) -> Adapter | None:
        """Return the adapter of a store, None for memtui's own; raise Refused if its path is gone."""
        if store.format == NATIVE:
            return None
        root = Path(store.path)
        try:
            exists = root.exists()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise wording.store_unreachable(store.name, reason) from error
        if not exists:
            raise wording.store_missing(store.name, root)
        return registry.by_name(store.format)(root)

    def writable(self) -> None:
        """Raise Refused if this workspace is read-only."""
        if self.read_only:
            raise wording.read_only(self.read_only)
