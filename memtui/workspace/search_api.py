"""The search verbs of `Workspace`: by words, by meaning, for agents, and saved ones (S-30 … S-35)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memtui.memory.groups import Grouped
from memtui.memory.results import EmbeddingState, Hits, MatchReason, RecallResult
from memtui.workspace.db.database import translate_errors
from memtui.workspace.search import (
    agent_lists,
    facets,
    grouping,
    lexical,
    recall,
    retrieval,
    saved_searches,
    view_state,
)
from memtui.workspace.search.facets import Facets
from memtui.workspace.search.recall import DEFAULT_STATUSES, Caller, Told
from memtui.workspace.search.retrieval import BOTH
from memtui.workspace.search.saved_searches import SavedSearch
from memtui.workspace.vectors import queue, retries
from memtui.workspace.vectors.retries import Retry

if TYPE_CHECKING:
    from memtui.embedding.base import Opener
    from memtui.workspace.background import JobControl
    from memtui.workspace.context import Context


class SearchApi:
    """Searching memories, and the embeddings that it needs."""

    _ctx: Context
    _changing: Callable[[], AbstractContextManager[None]]

    def search(self, text: str, *, live: bool = True, sort: str = "") -> Hits:
        """Return the memories that match a query (S-30, S-31); QueryError points at a syntax error.

        With `live`, only live ones unless the query asks for a status.
        """
        return lexical.search(self._ctx.db, text, live=live, sort=sort, now=self._ctx.clock())

    def listing(self, text: str, *, live: bool = True, sort: str = "") -> Generator[Hits]:
        """Yield the same in parts, the first one soon; for use in one thread."""
        return lexical.listing(self._ctx.db, text, live=live, sort=sort, now=self._ctx.clock())

    def matching(self, text: str, ids: Sequence[int], *, live: bool = True) -> set[int]:
        """Return those of these row ids that match a query."""
        return lexical.matching(self._ctx.db, text, ids, live=live, now=self._ctx.clock())

    def fused(
        self, text: str, listed: Sequence[int], *, live: bool = True, by: str = BOTH, sort: str = ""
    ) -> Hits | None:
        """Return the best answers by words and meaning, followed by the rest of what words alone found
        (`listed`); None if the query has no meaning to search for, or no model is loaded."""
        return retrieval.fused(self._ctx, text, listed, live=live, by=by, sort=sort)

    def match_reasons(
        self, text: str, ids: Sequence[int], *, live: bool = True, by: str = BOTH
    ) -> dict[int, MatchReason]:
        """Return why each of these memories matches a query, weighed against each other (S-33)."""
        return retrieval.match_reasons(self._ctx, text, ids, live=live, by=by)

    def match_reason(self, text: str, id: int, *, live: bool = True) -> MatchReason | None:
        """Return why a memory matches a query (S-33)."""
        return retrieval.match_reason(self._ctx, text, id, live=live)

    def recall(
        self,
        text: str,
        caller: Caller,
        *,
        strategy: str = "",
        limit: int = 10,
        statuses: Sequence[str] = DEFAULT_STATUSES,
        subject: str = "",
        category: str = "",
        told: Told | None = None,
    ) -> RecallResult:
        """Return the best answers to an agent's question among what it may see; what it is `told` of them, by
        default all, is counted and logged (S-34)."""
        with translate_errors(self._ctx.path):
            return recall.recall(
                self._ctx,
                text,
                caller,
                strategy=strategy,
                limit=limit,
                statuses=statuses,
                subject=subject,
                category=category,
                told=told,
            )

    def recall_by(self, field: str, value: str, caller: Caller, limit: int = 10) -> RecallResult:
        """Return Founder OS's lists: by `company_id` or `source_ref`, surest first; by `key` or `uid`, any
        status."""
        with translate_errors(self._ctx.path):
            return agent_lists.by_field(self._ctx, field, value, caller, limit)

    def facets(self, text: str, *, live: bool = True) -> Facets:
        """Return how many matches of a query are in which store, category, status and so on (S-32)."""
        return facets.counts(self._ctx.db, text, live=live, now=self._ctx.clock())

    def values(self, name: str, beginning: str = "", *, live: bool = True) -> list[tuple[str, int]]:
        """Return the possible values of a filter with counts (S-31); raw text, as stored."""
        return facets.values(self._ctx.db, name, beginning, live=live)

    def saved_searches(self) -> list[SavedSearch]:
        """Return the saved searches (S-32)."""
        return saved_searches.listed(self._ctx.db)

    def save_search(self, name: str, query: str, sort: str = "") -> SavedSearch:
        """Save a search under a name, replacing one of the same name."""
        with self._changing():
            self._ctx.writable()
            return saved_searches.save(self._ctx.db, name, query, sort, self._ctx.clock())

    def delete_search(self, name: str) -> None:
        """Delete a saved search."""
        with self._changing():
            self._ctx.writable()
            saved_searches.delete(self._ctx.db, name)

    def embedding_state(self) -> EmbeddingState:
        """Return the state of semantic search (S-35)."""
        return queue.state(self._ctx, self._ctx.model)

    def load_model(self) -> bool:
        """Load the model if needed, which takes a second or more; return whether there is one."""
        return self._ctx.model.load(self._ctx) is not None

    def embed(self, control: JobControl | None = None) -> int:
        """Embed the queued memories and return how many got a vector; takes long (S-35)."""
        with translate_errors(self._ctx.path):
            return queue.process(self._ctx, self._ctx.model, control)

    def retries(self) -> list[Retry]:
        """Return the texts that the model failed on, by reason, the most frequent first (S-35)."""
        return retries.retries(self._ctx)

    @staticmethod
    def model_opener(setting: str) -> Opener | None:
        """Return what loads the model of the setting `model` on demand; None for "off" (S-35)."""
        from memtui.embedding.factory import opener

        return opener(setting)

    def groups_of(self, ids: Sequence[int], by: str) -> Grouped:
        """Return a list in groups by entity, folder, category or store (S-31)."""
        return grouping.groups_of(self._ctx, ids, by)

    def grouping(self) -> str:
        """Return how the list of the attached stores is grouped: as last chosen, else as its data suggest."""
        return grouping.grouping(self._ctx)

    def save_grouping(self, by: str) -> None:
        """Remember how the list of the attached stores is grouped; in a read-only workspace do nothing."""
        if not self._ctx.read_only:
            with self._changing():
                grouping.save_grouping(self._ctx, by)

    def sorting(self) -> str:
        """Return the order of the list of the attached stores, as last chosen; "" for the newest first."""
        return view_state.sorting(self._ctx)

    def save_sorting(self, sort: str) -> None:
        """Remember the order of the list of the attached stores; in a read-only workspace do nothing."""
        if not self._ctx.read_only:
            with self._changing():
                view_state.save_sorting(self._ctx, sort)
