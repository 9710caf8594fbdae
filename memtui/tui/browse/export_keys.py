"""The key of Browse that exports memories of its list (S-70)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.tui.browse import listing
from memtui.tui.browse.search import SearchScreen
from memtui.tui.exporting import wording

if TYPE_CHECKING:
    from memtui.tui.exporting.packing import Choices, Scope
    from memtui.tui.exporting.repacking import Outcome


class ExportScreen(SearchScreen):
    """A list whose memories can be exported."""

    _choices: Choices | None = None  # of the last export

    def action_export(self) -> None:
        workspace, counts = self.app.ready_workspace(), self.app.counts
        if workspace is None:
            return
        if self._partial and self._searched.strip() and not self.memories.marks:
            self.app.show_status(wording.STILL_LOADING)
        elif not self.memories.marks and counts is not None and not counts.live:
            self.app.show_status(wording.NOTHING)
        else:
            from memtui.tui.exporting.dialog import ExportDialog
            from memtui.tui.exporting.packing import Choices, kinds

            choices = self._choices or Choices(kinds()[0])
            self.app.push_screen(ExportDialog(workspace, self._scopes(), choices), self._exported)

    def _scopes(self) -> list[Scope]:
        """Return what can be exported: the marked memories, the answers to the search, what is below the
        highlighted heading, and all live ones."""
        from memtui.tui.exporting.packing import Scope

        memories, below, counts = self.memories, self.below, self.app.counts
        scopes: list[Scope] = []
        if memories.marks:
            marked = [id for id in memories.ids if id in memories.marks]
            ids = [*marked, *sorted(memories.marks.difference(marked))]
            scopes.append(Scope(wording.in_marked(len(ids)), ids))
        if self._searched.strip() and (answers := list(memories.answers)) and not self._partial:
            is_ranked = listing.has_words(self._searched) and not self.sort
            scopes.append(Scope(wording.in_search(len(answers)), answers, is_ranked))
        if (group := memories.heading) is not None and below:
            label = wording.in_group(self._group_name(group, 40), len(below))
            scopes.append(Scope(label, below))
        live = counts.live if counts is not None else len(memories.ids)
        return [*scopes, Scope(wording.in_all(live))]

    def _exported(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._choices = outcome.choices
            if outcome.summary:
                self.app.show_status(outcome.summary, tone="done", hint=outcome.hint)
