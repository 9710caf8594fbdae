"""What a test sets in a fake workspace to create a situation, and what it reads afterwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from memtui.errors import Conflict
from memtui.memory.agents.figures import Overtaken
from memtui.memory.contradictions.pairs import Pair, Suggestion
from memtui.memory.graph.model import Neighborhood, NodeKey
from memtui.memory.inbox.items import InboxItem
from memtui.memory.journal import Event, EventItem
from memtui.memory.memory import Memory
from memtui.memory.policies.policy import Policy
from memtui.memory.relations import Relation
from memtui.memory.results import MatchReason
from memtui.memory.rules.rule import Rule
from memtui.memory.rules.trial import RuleCounts, Trial
from memtui.memory.stores import Backup, DiscoveredStore, Issue, StoreInfo
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.policies.breaches import Refusals
from memtui.workspace.remember.checking import Breaching
from memtui.workspace.search.saved_searches import SavedSearch


class Memories(dict[int, Memory]):
    """The memories by row id. Called with ids, it is the verb `memories`."""

    def __call__(self, ids: Sequence[int]) -> list[Memory]:
        return [self[id] for id in ids if id in self]


class Controls:
    """The state of a fake workspace; except for `memories`, the screens do not know of it."""

    def __init__(self, memories: Sequence[Memory] = (), *, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.memories = Memories(enumerate(memories, 1))
        self.relations: dict[int, tuple[Relation, ...]] = {}
        self.locked: set[int] = set()
        """Memories that cannot be changed, as if their store were locked."""
        self.closed = False

        # All verbs
        self.errors: dict[str, Exception] = {}
        """By verb, what it raises instead of doing its work."""
        self.gates: dict[str, threading.Event] = {}
        """What blocks until its event is set."""
        self.reached_gates: list[str] = []

        # Searching
        self.searches: list[str] = []
        self.grouped_by = ""
        self.sorted_by = ""
        self.saved: dict[str, SavedSearch] = {}
        self.phase, self.unembedded = "off", 0
        """The phase of the embedding model, and how many memories have no vector yet."""
        self.nearest: dict[str, Sequence[int]] = {}
        """By query, the ids nearest to it in meaning, best first."""
        self.related_counts: dict[str, int] = {}
        """By query, how many of its nearest ids, the last ones, are only related."""
        self.reasons: dict[int, MatchReason] = {}

        # Journal and changes
        self.events: list[Event] = []
        self.items: dict[int, list[EventItem]] = {}
        self.conflict: Conflict | None = None
        """Raised by the next edit."""
        self.news: list[Memory] = []
        """What the next pull adds."""

        # Stores
        self.attached: list[StoreInfo] | None = None
        """The attached stores; None for those that the memories name."""
        self.discovered: list[DiscoveredStore] = []
        self.issues: list[Issue] = []
        self.repaired: list[Issue] = []
        self.stored_backups: list[Backup] = []
        self.purged: list[int] = []

        # Pairs
        self.pairs_by_id: dict[int, Pair] = {}
        """The pairs in every state."""
        self.suggestions: dict[int, Suggestion] = {}
        self.blocked_verdicts: dict[int, dict[str, str]] = {}
        """By pair, the verdicts that cannot be given, each with its reason."""
        self.merged_texts: dict[int, str] = {}
        self.scan_queue: list[Pair | None] = []
        """What the scan finds, memory by memory."""

        # Inbox
        self.inbox_items: list[InboxItem] = []
        """Items besides those that the memories, pairs and stores make."""
        self.put_off: dict[tuple[str, str], float] = {}
        """Until when the findings of a store are hidden, by store and code."""

        # Rules
        self.kept_rules: list[Rule] = []
        self.rule_held: dict[int, RuleCounts] = {}
        """By rule, what it holds and did today."""
        self.trials: dict[str, Trial] = {}
        """By name of a rule, what trying it finds; of others, what a search does."""

        # Policies
        self.kept_policies: list[Policy] = []
        self.stated_policies: list[Policy] = []
        """Those that stores state."""
        self.refusals: list[Refusals] = []
        """What policies refused lately."""
        self.breaching: list[Breaching] = []
        """What of the memories policies would refuse."""

        # Agents
        self.listed_agents: list[ListedAgent] = []
        self.given: dict[str, Sequence[Overtaken]] = {}
        """By agent, what it was given that no longer holds."""

        # Graph
        self.neighborhoods: dict[NodeKey, Neighborhood] = {}
        """Neighborhoods that differ from what the relations give."""
        self.unrelated: list[tuple[int, str, int | str, bool]] = []
        """The relations that were removed, as arguments of the verb `unrelate`."""
