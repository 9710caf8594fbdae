"""The keys that write, take apart and copy texts of memories (S-8)."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import TYPE_CHECKING

from memtui.memory.detail import Detail
from memtui.memory.results import Change
from memtui.memory.secrets.masking import Masking
from memtui.memory.secrets.tokens import SecretTokens
from memtui.text import is_clean
from memtui.tui.memory import wording
from memtui.tui.memory.reveal_keys import RevealScreen
from memtui.tui.memory.selection import writes
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.memory.add_to_dialog import Place
    from memtui.workspace.workspace import Workspace


class TextScreen(RevealScreen):
    """A screen on which memories are added, edited, split and copied as text."""

    def action_edit(self) -> None:
        if not self.editor_opening:
            self.editor_opening = True
            self._edit()

    def action_edit_outside(self) -> None:
        self._edit_outside()

    @writes
    def action_add(self) -> None:
        """Add a memory: to which store, if there are several, and whose, is asked first."""
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        if len(self.app.store_names) < 2:
            self._add_to(workspace, None)
            return
        from memtui.tui.memory.add_to_dialog import AddToDialog

        row = self.memories.row(id) if id is not None else None
        chosen = AddToDialog(workspace, row.store if row is not None else "")
        self.app.push_screen(chosen, lambda place: self._add_to(workspace, place) if place else None)

    def _add_to(self, workspace: Workspace, place: Place | None) -> None:
        from memtui.tui.memory.edit import EditDialog

        draft, self.app.draft = self.app.draft, {}
        self.app.push_screen(EditDialog(workspace, None, draft, place), self._edited)

    @worker(wording.MEMORY_NOT_READ, group="edit")
    async def _edit(self) -> None:
        try:
            if loaded := await self._load_for_edit():
                from memtui.tui.memory.edit import EditDialog

                self.app.push_screen(EditDialog(*loaded), self._edited)
        finally:
            self.editor_opening = False

    @writes
    def action_split(self) -> None:
        """Split the highlighted memory; refused if several are marked, since it works on one at a time."""
        if len(self.memories.marks) > 1:
            clear = self.app.key("memory.mark_all")
            self.app.show_status(wording.splits_one(len(self.memories.marks), clear), tone="error")
        else:
            self.editor_opening = True
            self._split()

    @worker(wording.MEMORY_NOT_READ, group="split")
    async def _split(self) -> None:
        try:
            if loaded := await self._load_for_edit("split"):
                from memtui.tui.memory.split_dialog import SplitDialog

                self.app.push_screen(SplitDialog(*loaded), self._edited)
        finally:
            self.editor_opening = False

    async def _load_for_edit(self, verb: str = "edit") -> tuple[Workspace, Detail] | None:
        """Read the highlighted memory again; if it cannot be edited, show why and return None."""
        workspace, id = self.app.ready_workspace(), self.current
        if workspace is None:
            return None
        if id is None:
            self.app.show_status(self.nothing_to(verb))
            return None
        detail = await self.app.lanes.read_raw(workspace.detail, id)
        if detail is None:
            self.app.show_status(wording.MEMORY_GONE, tone="error")
        elif reason := detail.blocked.get(verb):
            self.app.show_status(reason, tone="error")
        else:
            return workspace, detail
        return None

    @worker(wording.NOT_SAVED, group="edit")
    async def _edit_outside(self) -> None:
        """Edit in the user's own editor; a text that cannot be saved is kept in memtui's (S-6, S-8)."""
        loaded = await self._load_for_edit()
        if loaded is None:
            return
        workspace, detail = loaded
        tokens = SecretTokens()
        before = tokens.hide(detail.memory.content)
        if not is_clean(before):
            hint = wording.cleaning_hint(self.app.key("memory.edit"))
            self.app.show_status(wording.UNSAFE_FOR_EDITOR, hint=hint)
            return
        from memtui.tui.terminal.external_editor import edit_in_terminal

        after = edit_in_terminal(self.app, self.app.settings.editor, before)
        if after == before:
            self.app.show_status(wording.NOTHING_CHANGED)
            return
        try:
            change = await self._write_text(workspace, detail, *tokens.restore(after))
        except Exception as error:  # whatever it was, the text is kept
            from memtui.tui.memory.edit import EditDialog

            dialog = EditDialog(workspace, detail, {"content": after})
            await self.app.push_screen(dialog, self._edited)
            dialog.show_message(wording.text_is_kept(error_text(error)))
        else:
            await self.app.announce(change)

    def _write_text(self, workspace: Workspace, detail: Detail, text: str) -> Awaitable[Change]:
        """Queue a new text of a memory; raise Refused if it has characters that no store may hold."""
        if not is_clean(text):
            raise wording.malformed_text()
        seen = {"content": detail.memory.content}
        return self.app.lanes.write(partial(workspace.edit, [detail.id], {"content": text}, seen=seen))

    async def _edited(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    @worker(wording.NOT_COPIED, group="copy")
    async def action_copy(self) -> None:
        workspace, id = self.app.ready_workspace(), self.current
        if workspace is None:
            return
        marked = [each for each in self.memories.ids if each in self.memories.marks]
        ids = marked or self.below or ([id] if id is not None else [])
        if not ids:
            self.app.show_status(self.nothing_to("copy"))
            return
        revealed = ids == [self.revealed]
        details = await self.app.lanes.read_raw(lambda: [workspace.detail(each) for each in ids])
        texts = [detail.memory.content or detail.memory.title or "" for detail in details if detail]
        masking = Masking()
        shown = masking.of(texts)
        clipboards = await self.app.copy("\n\n".join(texts if revealed else shown))
        text = wording.copied(len(texts), clipboards, masking.count, revealed=revealed)
        self.app.show_status(text, tone="done")
