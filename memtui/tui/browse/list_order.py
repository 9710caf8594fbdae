"""The order of Browse: a list keeps the one chosen for the stores, a text search has its own (S-32)."""

from __future__ import annotations

from memtui.tui.browse import listing
from memtui.tui.browse.search_bar import SearchBar
from memtui.tui.memory.memory_actions import MemoryScreen


class OrderedScreen(MemoryScreen):
    """A screen that knows in which order its list is."""

    bar: SearchBar

    def __init__(self) -> None:
        super().__init__()
        self._searched = ""  # the text that the list belongs to
        self._list_sort: str | None = None  # the order of a list without words; None until that was read
        self._search_sort: str | None = None  # the one chosen for the search in the bar

    @property
    def sort(self) -> str:
        """The order in force, a key of SORTS: the one chosen for this search; else the best match first if it
        has words, and the list's own order if not."""
        if self._search_sort is not None:
            return self._search_sort
        return "" if self._is_ranked else self._list_sort or ""

    @property
    def _is_ranked(self) -> bool:
        """Whether the bar's text has words by which it can be ranked."""
        return listing.has_words(self.bar.input.value)

    def set_order(self, query: str, sort: str) -> None:
        """Set the order of a search that is about to be made; without a query, that of the list."""
        if query.strip():
            self._search_sort = sort
        else:
            self._list_sort = sort

    @property
    def order(self) -> str:
        """The same, but "newest" for a list without words, which has no best match."""
        return self.sort or ("" if listing.has_words(self._searched) else "newest")
