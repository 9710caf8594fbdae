"""What a test sets in a fake workspace to bring about a situation, and what it reads afterwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from memtui.errors import Conflict
from memtui.memory.contradictions.pairs import Pair, Suggestion
from memtui.memory.graph.model import Around, Spot
from memtui.memory.journal import Event, EventItem
from memtui.memory.memory import Memory
from memtui.memory.relations import Relation
from memtui.memory.results import MatchReason
from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.workspace.search.saved_searches import Saved


class Memories(dict[int, Memory]):
    """The memories by row. Called with rows, it answers as the verb `memories`."""

    def __call__(self, ids: Sequence[int]) -> list[Any]:
        return [self[id] for id in ids if id in self]


class Controls:
    """The state of a fake workspace; nothing here is known to the screens, apart from `memories`."""

    def __init__(self, memories: Sequence[Memory] = (), *, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.memories = Memories(enumerate(memories, 1))
        self.relations: dict[int, tuple[Relation, ...]] = {}
        self.locked: set[int] = set()
        """Memories that cannot be changed, as if their store were locked."""
        self.closed = False

        # What verbs do
        self.raising: dict[str, Exception] = {}
        """What a verb raises instead of doing its work."""
        self.gates: dict[str, threading.Event] = {}
        """What blocks until its event is set."""
        self.waiting: list[str] = []
        """The gates that were reached."""

        # Searching
        self.searches: list[str] = []
        self.searches_kept: dict[str, Saved] = {}
        self.phase, self.unread = "off", 0
        """The phase of searching by meaning, and how many memories have no vector yet."""
        self.near: dict[str, Sequence[int]] = {}
        """The rows nearest to a question in meaning, best first."""
        self.related: dict[str, int] = {}
        """How many of them, the last ones, are only related."""
        self.reasons: dict[int, MatchReason] = {}

        # Journal and changes
        self.events: list[Event] = []
        self.items: dict[int, list[EventItem]] = {}
        self.clash: Conflict | None = None
        """Raised by the next edit."""
        self.news: list[Memory] = []
        """What the next pull brings."""

        # Stores
        self.attached: list[StoreInfo] | None = None
        """The attached stores; None for those that the memories name."""
        self.found: list[DiscoveredStore] = []
        self.ailments: list[Issue] = []
        self.mended: list[Issue] = []
        self.kept: list[Backup] = []
        self.purged: list[int] = []

        # Pairs
        self.findings: dict[int, Pair] = {}
        """The pairs, whatever their state."""
        self.suggested: dict[int, Suggestion] = {}
        self.unsettled: dict[int, dict[str, str]] = {}
        """For a pair, why verdicts cannot be given."""
        self.merged: dict[int, str] = {}
        self.to_compare: list[Pair | None] = []
        """What the sweep finds, memory by memory."""

        # Graph
        self.webs: dict[Spot, Around] = {}
        """Neighbourhoods other than the relations give."""
        self.untied: list[tuple[int, str, int | str, bool]] = []
