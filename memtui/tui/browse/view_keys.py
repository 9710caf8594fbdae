"""The quick views, grouping and order of Browse: choosing them, and counting the views (S-31, S-32)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from memtui.errors import QueryError
from memtui.memory.groups import FLAT, GROUPINGS
from memtui.tui.browse import listing, quick_views, wording
from memtui.tui.browse.quick_views import ALL, VIEWS, View
from memtui.tui.browse.search import LARGE, SORTS, SearchScreen
from memtui.tui.messages import ViewClicked
from memtui.tui.workers.guarded import worker


class ViewScreen(SearchScreen):
    """A list whose view, grouping and order are chosen by key; the last two are kept for the stores."""

    def search_for(self, query: str, id: int | None = None, sort: str | None = None) -> None:
        """Search for `query`, with the cursor on memory `id` if it is found."""
        raise NotImplementedError

    # Quick views

    def on_screen_resume(self) -> None:
        """Count again: what is new may have been marked as seen in the Journal."""
        self.count_views()

    def action_views(self) -> None:
        from memtui.tui.browse.views_dialog import ViewsDialog

        if self.app.ready_workspace():
            current = quick_views.in_force(self.bar.input.value)
            self.app.push_screen(ViewsDialog(self.bar.views.counts, current), self._choose)

    def on_view_clicked(self, message: ViewClicked) -> None:
        if message.code:
            self._choose(quick_views.by_code(message.code))
        else:
            self.action_views()

    def _choose(self, view: View | None) -> None:
        if view is not None:
            self.choose_view(view)

    def choose_view(self, view: View) -> None:
        """Put a view in force for the search in the bar; the cursor stays on its memory if that is in it."""
        try:
            query = quick_views.chosen(self.bar.input.value, view)
        except QueryError as error:
            self.app.show_refusal(error)
            return
        back, journal = self.app.key("screen.back"), self.app.key("screen.journal")
        self.app.show_status(wording.view_shown(view.code, back, journal))
        self.search_for(query, self.memories.highlighted)

    @worker(wording.NOT_COUNTED, group="views")
    async def count_views(self) -> None:
        """Count the memories of each view; the bar shows the last counts until then."""
        workspace = self.app.workspace
        if workspace is None:
            return
        filters = [view.filter for view in VIEWS]
        if self.app.counts is not None and self.app.counts.all > LARGE:
            # Takes a few tenths of a second, for which no list may wait.
            found = await self.app.lanes.background(workspace.match_counts, filters)
        else:
            found = await self.read(workspace.match_counts, filters)
        self.bar.show_views({view.code: count for view, count in zip(VIEWS, found, strict=True)})

    def leave_view(self) -> bool:
        """Take the view in force away; return whether there was one."""
        if quick_views.in_force(self.bar.input.value) is ALL:
            return False
        self.choose_view(ALL)
        return True

    # Order and grouping

    def set_order(self, query: str, sort: str) -> None:
        """Set the order of a search that is about to be made; without a query, that of the list, which is
        kept for the stores."""
        super().set_order(query, sort)
        if not query.strip() and (workspace := self.app.ready_workspace()):
            self._keep(workspace.save_sorting, sort)

    def action_sort(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        has_words = listing.has_words(self._searched)
        # Without a word to match, the best match first is the newest first.
        names = [name for name in SORTS if has_words or name != "newest"]
        current = self.sort if self.sort in names else ""
        chosen = names[(names.index(current) + 1) % len(names)]
        if has_words:
            self._search_sort = chosen
        else:
            self._search_sort, self._list_sort = None, chosen
            self._keep(workspace.save_sorting, chosen)
        words_only = bool(chosen) and has_words and self.app.embedding_worker.phase == "ready"
        self.app.show_status(wording.sorted_by(self.order, words_only=words_only))
        self.load()

    def action_group(self) -> None:
        """Group the list by the next of entity, folder, category and store, or not at all."""
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        choices = (*GROUPINGS, FLAT)
        self._grouping = choices[(choices.index(self._grouping or FLAT) + 1) % len(choices)]
        ranked = listing.has_words(self._searched)
        self.app.show_status(wording.grouped_by(self._grouping, ranked))
        self._keep(workspace.save_grouping, self._grouping)
        self.load()

    def _keep(self, save: Callable[[str], None], value: str) -> None:
        self._report_saving(self.app.lanes.write(save, value))

    @worker(wording.VIEW_NOT_SAVED, group="view", exclusive=False)
    async def _report_saving(self, saving: Awaitable[None]) -> None:
        await saving

    def action_fold(self) -> None:
        self.memories.fold()
        self._report_folding()

    def action_unfold(self) -> None:
        self.memories.unfold()
        self._report_folding()

    def action_fold_all(self) -> None:
        self.memories.fold_all()
        self._report_folding()

    def _report_folding(self) -> None:
        if self.memories.is_grouped:
            self.app.clear_old_status()
        else:
            self.app.show_status(wording.no_groups(self.app.key("list.group")))
