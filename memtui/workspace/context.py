"""What all verbs share: the open database, who acts, the clock, and the attached adapters."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.errors import NotSaved, Refused
from memtui.formats import registry
from memtui.formats.contract.adapter import Adapter
from memtui.memory.ranking import DEFAULT, LEANING, TOP_K, Leaning, Weights
from memtui.workspace.db.database import Database
from memtui.workspace.db.leases import Leases
from memtui.workspace.db.store_rows import StoreRow
from memtui.workspace.vectors.model import Meaning

NATIVE = "native"


def _untold(store: str, part: float) -> None:
    """Nobody wants to know how far a reading is."""


def _no_step(name: str) -> None:
    """Nothing happens between the steps of a unit; tests end the process here."""


def _nothing_open() -> None:
    """No write was cut off; the workspace sets what looks for them."""


@dataclass(slots=True)
class Context:
    """The engine room of one open workspace. `actor` is who the journal names."""

    path: Path
    db: Database
    leases: Leases
    clock: Callable[[], float]
    new_id: Callable[[], str]
    meaning: Meaning
    actor: str = "person"
    read_only: str = ""
    on_step: Callable[[str], None] = _no_step
    on_progress: Callable[[str, float], None] = _untold  # a store's name, and how much of it was read
    writing: threading.RLock = field(default_factory=threading.RLock)
    warned: int = 0  # the journal line of which it was said that it cannot be undone
    stale: set[int] = field(default_factory=set)  # stores that turned out to be other than last pulled
    weights: Weights = DEFAULT  # how words and meaning are put together
    top_k: int = TOP_K  # candidates from each
    leaning: Leaning = LEANING  # what counts beside relevance for agents
    projects: tuple[str, ...] = ()  # tags that stand for projects
    half_lives: Mapping[str, float] = field(default_factory=dict)  # days by category (S-25)
    founder_os_daily: bool = False  # which reading of its decay (S-20)
    sessions: tuple[int, dict[int, int], int] | None = None  # of agents, up to a line of the log of recalls
    finish_writes: Callable[[], object] = _nothing_open  # settles writes that a dead process left open
    closing: threading.Event = field(default_factory=threading.Event)  # long readings end soon

    def adapter(self, store: StoreRow) -> Adapter | None:
        """The adapter of a stores row; None for our own store. Refused if its place is gone."""
        if store.format == NATIVE:
            return None
        root = Path(store.path)
        try:
            there = root.exists()
        except OSError as trouble:
            why = (trouble.strerror or str(trouble)).lower()
            raise Refused(
                "unreadable", f"The store {store.name} cannot be reached: {why}.", "Nothing was changed."
            ) from trouble
        if not there:
            raise Refused(
                "missing",
                f"The store {store.name} is no longer at {root}.",
                "Nothing was changed. Put it back, or detach it: memtui stores detach.",
            )
        return registry.by_name(store.format)(root)

    def writable(self) -> None:
        """Refused where this workspace may only be read."""
        if self.read_only:
            raise NotSaved("read-only", f"{self.read_only}", "Nothing was changed.")
