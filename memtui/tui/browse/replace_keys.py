"""The key of Browse that finds and replaces a text in the memories of its list (S-54)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.query.language import parse
from memtui.tui.browse.search import SearchScreen
from memtui.tui.memory.selection import writes
from memtui.tui.replacing import wording


class ReplaceScreen(SearchScreen):
    """A list in whose memories a text can be replaced."""

    @writes
    def action_replace(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        ids, where = self._searched_by_replace()
        if self._partial and not self.memories.marks:
            self.app.show_status(wording.STILL_LOADING)
        elif not ids and self.memories.ids:
            self.app.show_status(wording.only_related(self.app.key("memory.mark")))
        elif not ids:
            self.app.show_status(self.nothing_to("replace"))
        else:
            from memtui.tui.replacing.find_dialog import FindDialog

            find = _only_word(self._searched)
            self.app.push_screen(FindDialog(workspace, ids, where=where, find=find), self._edited)

    def _searched_by_replace(self) -> tuple[Sequence[int], str]:
        """Return the marked memories, else those below the highlighted heading, else those that answer the
        search; and what they are, in words."""
        memories, below = self.memories, self.below
        if memories.marks:
            marked = [id for id in memories.ids if id in memories.marks]
            ids = [*marked, *sorted(memories.marks.difference(marked))]
            return ids, wording.in_marked(len(ids))
        if (group := memories.heading) is not None and below:
            return below, wording.in_group(self._group_name(group, 40), len(below))
        ids = list(memories.answers)
        return ids, wording.in_results(len(ids)) if self._searched.strip() else wording.in_list(len(ids))


def _only_word(query: str) -> str:
    """Return the word or phrase that is searched for, "" if there is none or more than one."""
    terms = [term.text for term in parse(query).terms if not term.negated]
    return terms[0] if len(terms) == 1 else ""
