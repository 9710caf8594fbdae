"""The key of Browse that finds and replaces a text in the memories of its list (S-54)."""

from __future__ import annotations

from memtui.memory.query.language import parse
from memtui.tui.browse.search import SearchScreen
from memtui.tui.memory.memory_actions import writes
from memtui.tui.replacing import wording


class ReplaceScreen(SearchScreen):
    """A list in whose memories, the marked ones or else all, a text can be replaced."""

    @writes
    def action_replace(self) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        memories = self.memories
        marked = [id for id in memories.ids if id in memories.marks]
        ids = [*marked, *sorted(memories.marks.difference(marked))] or memories.ids
        if self._partial and not memories.marks:
            self.app.show_status(wording.STILL_LOADING)
        elif not ids:
            self.app.show_status(self.nothing_to("replace"))
        else:
            from memtui.tui.replacing.find_dialog import FindDialog

            find = _only_word(self._searched)
            dialog = FindDialog(workspace, ids, marked=bool(memories.marks), find=find)
            self.app.push_screen(dialog, self._edited)


def _only_word(query: str) -> str:
    """Return the word or phrase that is searched for, "" if there is none or more than one."""
    terms = [term.text for term in parse(query).terms if not term.negated]
    return terms[0] if len(terms) == 1 else ""
