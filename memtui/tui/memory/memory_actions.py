"""The keys that act on memories: the marked ones, else the highlighted one; and why one cannot work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from memtui.errors import NotSaved
from memtui.memory.detail import Detail
from memtui.memory.memory import MemoryRow
from memtui.memory.results import Change, PurgeResult, TransferResult
from memtui.text import is_clean
from memtui.tui.common.screen import BaseScreen
from memtui.tui.memory.detail_pane import DetailPane
from memtui.tui.text.glyphs import counted
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

MANY = 100  # memories from which a change says that it is under way
BUSY = {"pin": "Pinning", "confirm": "Confirming", "dismiss": "Dismissing", "restore": "Restoring"}


class Listed(Protocol):
    """Which memories keys act on: the marked ones of those listed, else the highlighted one."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def answers(self) -> Sequence[int]: ...
    @property
    def marks(self) -> set[int]: ...
    @property
    def highlighted(self) -> int | None: ...
    def row(self, id: int) -> MemoryRow | None: ...
    def toggle_mark(self) -> None: ...
    def mark(self, ids: set[int]) -> None: ...
    def action_down(self) -> None: ...


class MemoryScreen(BaseScreen):
    """Correct, pin, confirm, dismiss, restore, purge, copy what the list shows (S-8, S-9)."""

    memories: Listed
    view: DetailPane
    opening = False
    """The editor is about to open: letters typed behind its key are text, and change nothing."""

    def nothing(self, verb: str) -> str:
        """What a key says where no memory is there to act on."""
        return f"Nothing to {verb}: {self.no_memory()}"

    def no_memory(self) -> str:
        """Why no memory is there to act on."""
        return "the list is empty."

    def action_pin(self) -> None:
        self._do("pin")

    def action_confirm(self) -> None:
        self._do("confirm")

    def action_reject(self) -> None:
        self._do("dismiss")

    def action_restore(self) -> None:
        self._do("restore")

    def _do(self, action: str) -> None:
        """A verb on the marked memories, else on the highlighted one; or why it cannot be done."""
        workspace = self.app.ready_workspace()
        if workspace is None or self.opening:
            return
        ids, id = sorted(self.memories.marks), self.memories.highlighted
        if not ids:
            if id is None:
                self.app.show_status(self.nothing(action))
                return
            if reason := self._blocked(action, id):
                self.app.show_status(reason, tone="wrong")
                return
            ids = [id]
            if action == "dismiss":
                # At once, so that d d d takes three; the dismissed line leaves when the store has it.
                self.memories.action_down()
        verb = {"confirm": workspace.confirm, "dismiss": workspace.dismiss, "restore": workspace.restore}.get(
            action
        )
        if len(ids) > MANY:
            self.app.show_status(f"{BUSY[action]} {counted(len(ids), 'memory')} …")
        self.app.run_change(verb or (lambda: _pin_or_unpin(workspace, ids)), *([ids] if verb else []))

    def _blocked(self, action: str, id: int) -> str:
        """Why a key cannot work on the highlighted memory, as far as is known."""
        detail = self.view.detail
        if detail is None or detail.id != id:
            return ""
        if action == "pin" and detail.memory.pinned:
            action = "unpin"
        return detail.blocked.get(action, "")

    def blocked_reason(self, id: str) -> str:
        action = {"memory.edit_outside": "edit", "memory.purge": ""}.get(id, id.removeprefix("memory."))
        if self.app.workspace is None:
            return "no workspace is open"
        if not id.startswith("memory.") or id == "memory.add":
            return ""
        highlighted = self.memories.highlighted
        if highlighted is None:
            return self.no_memory()
        return "" if self.memories.marks and action != "edit" else self._blocked(action, highlighted)

    def action_edit(self) -> None:
        if not self.opening:
            self.opening = True
            self._edit()

    def action_edit_outside(self) -> None:
        self._edit_outside()

    hidden_marks = 0  # marked memories that the list does not show

    def action_mark(self) -> None:
        if self.memories.highlighted is None:
            self.app.show_status(self.nothing("mark"))
        else:
            self.memories.toggle_mark()

    def action_mark_all(self) -> None:
        all_ids = set(self.memories.answers)  # what is only related was not asked for
        if not all_ids:
            key, ids = self.app.key("memory.mark"), self.memories.ids
            only = f"Nothing to mark: these are only related. {key} marks one of them."
            self.app.show_status(only if ids else self.nothing("mark"))
            return
        none = all_ids <= self.memories.marks
        self.hidden_marks = 0
        self.memories.mark(set() if none else all_ids)
        self.app.show_status("No memory is marked." if none else f"{counted(len(all_ids), 'memory')} marked.")

    def action_purge(self) -> None:
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        ids = sorted(self.memories.marks) or ([id] if id is not None else [])
        if not ids:
            self.app.show_status(self.nothing("purge"))
            return
        from memtui.tui.memory.purge import PurgeDialog

        self.app.push_screen(PurgeDialog(workspace, ids), partial(self._purged, ids))

    async def _purged(self, ids: list[int], purged: PurgeResult | None) -> None:
        if purged is not None:
            left = len(purged.backups)
            held = f"{counted(left, 'backup')} still hold{'s' if left == 1 else ''} the text." if left else ""
            change = Change("dismissed", tuple(ids), purged.summary)
            await self.app.announce(change, hint=" ".join((held, *purged.notes)).strip())

    def action_copy_to(self) -> None:
        self._carry(move=False)

    def action_move_to(self) -> None:
        self._carry(move=True)

    def _carry(self, *, move: bool) -> None:
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        ids = sorted(self.memories.marks) or ([id] if id is not None else [])
        if not ids:
            self.app.show_status(self.nothing("move" if move else "copy"))
            return
        from memtui.tui.memory.transfer_dialog import TransferDialog

        self.app.push_screen(TransferDialog(workspace, ids, move), self._carried)

    async def _carried(self, done: TransferResult | None) -> None:
        if done is not None:
            from memtui.tui.memory.transfer_dialog import report

            told = report(done)
            undo = f"{self.app.key('change.undo')} undo"
            await self.app.announce(done.change, hint=f"{undo} · {told}" if told else undo)

    @worker("The memory could not be read", group="relate")
    async def action_relate(self) -> None:
        """To the one other memory that is marked, else to one that is chosen."""
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        if id is None:
            self.app.show_status(self.nothing("relate"))
            return
        marked = sorted(self.memories.marks - {id})
        rows = {row.id: row for row in await self.read(workspace.rows, [id, *marked])}
        if id not in rows:
            self.app.show_status("This memory is gone from the workspace.", tone="wrong")
            return
        from memtui.tui.memory.relate_dialog import RelateDialog

        other = rows.get(marked[0]) if len(marked) == 1 else None
        dialog = RelateDialog(workspace, id, rows[id].label, other)
        self.app.push_screen(dialog, self._edited)

    @worker("The pairs could not be read", group="pairs")
    async def action_pairs(self) -> None:
        """Review, with what contradicts or repeats the highlighted memory (S-42)."""
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        if id is None:
            self.app.show_status(self.nothing("compare"))
        elif await self.read(partial(workspace.pairs, memory=id)):
            row = self.memories.row(id)
            await self.app.show_pairs(id, row.label if row is not None else "")
        else:
            review = self.app.review
            left = review.unscanned if review is not None else 0
            rest = f"{counted(left, 'memory')} still to be compared." if left else ""
            self.app.show_status("Nothing is known that contradicts or repeats this memory.", hint=rest)

    def action_graph(self) -> None:
        """Graph, around the highlighted memory."""
        if self.app.ready_workspace() is None:
            return
        if (id := self.memories.highlighted) is None:
            self.app.show_status(self.nothing("show"))
        else:
            self.app.run_worker(self.app.show_graph(id), group="go")

    def action_add(self) -> None:
        from memtui.tui.memory.edit import EditDialog

        if workspace := self.app.ready_workspace():
            draft, self.app.draft = self.app.draft, {}
            self.app.push_screen(EditDialog(workspace, None, draft), self._edited)

    @worker("The memory could not be read", group="edit")
    async def _edit(self) -> None:
        try:
            if held := await self._to_edit():
                from memtui.tui.memory.edit import EditDialog

                self.app.push_screen(EditDialog(*held), self._edited)
        finally:
            self.opening = False

    async def _to_edit(self) -> tuple[Workspace, Detail] | None:
        """The highlighted memory as it stands now, or a word about why it cannot be edited."""
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return None
        if id is None:
            self.app.show_status(self.nothing("edit"))
            return None
        detail = await self.read(workspace.detail, id)
        if detail is None:
            self.app.show_status("This memory is gone from the workspace.", tone="wrong")
        elif reason := detail.blocked.get("edit"):
            self.app.show_status(reason, tone="wrong")
        else:
            return workspace, detail
        return None

    @worker("Not saved", group="edit")
    async def _edit_outside(self) -> None:
        """In the person's own editor; what cannot be saved goes on in ours (S-6, S-8)."""
        held = await self._to_edit()
        if held is None:
            return
        workspace, detail = held
        before = detail.memory.content
        if not is_clean(before):
            edit = self.app.key("memory.edit")
            self.app.show_status("This text holds characters that an editor could act on.", hint=f"{edit} cleans it.")
            return
        from memtui.tui.terminal.external_editor import in_editor

        after = in_editor(self.app, self.app.settings.editor, before)
        if after == before:
            self.app.show_status("Nothing was changed.")
            return
        fields, seen = {"content": after}, {"content": before}
        try:
            if not is_clean(after):
                raise NotSaved("odd", "it holds odd characters now.", "ctrl+l takes them out.")
            change = await self.app.lanes.write(partial(workspace.edit, [detail.id], fields, seen=seen))
        except Exception as error:  # whatever it was: what was written is kept
            from memtui.tui.memory.edit import EditDialog

            dialog = EditDialog(workspace, detail, fields)
            await self.app.push_screen(dialog, self._edited)
            dialog.show_message(f"{error_text(error)} Your text is here.")
        else:
            await self.app.announce(change)

    async def _edited(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    @worker("Nothing was copied", group="copy")
    async def action_copy(self) -> None:
        workspace, id = self.app.ready_workspace(), self.memories.highlighted
        if workspace is None:
            return
        wanted = [id for id in self.memories.ids if id in self.memories.marks] or (
            [id] if id is not None else []
        )
        if not wanted:
            self.app.show_status(self.nothing("copy"))
            return
        details = await self.read(lambda: [workspace.detail(one) for one in wanted])
        texts = [detail.memory.content or detail.memory.title or "" for detail in details if detail]
        where = await self.app.copy("\n\n".join(texts))
        self.app.show_status(f"Copied {counted(len(texts), 'memory')} to {where}.", tone="done")


def _pin_or_unpin(workspace: Workspace, ids: list[int]) -> Change:
    """Unpin if all are pinned, else pin; decided where the truth is, in the writing lane."""
    return workspace.unpin(ids) if all(row.pinned for row in workspace.rows(ids)) else workspace.pin(ids)
