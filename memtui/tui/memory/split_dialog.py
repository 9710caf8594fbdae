"""The dialog that splits a memory: its text in an editor, with a line between two parts (SPEC 7)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Conflict, Refused
from memtui.memory import splitting
from memtui.memory.detail import Detail
from memtui.memory.results import Change
from memtui.memory.secrets.tokens import SecretTokens
from memtui.memory.splitting import CUT, RELATIONS
from memtui.text import clean_text, is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common import screen
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_area import SafeArea
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.memory.conflict import ConflictDialog, stored_problem
from memtui.tui.memory.edit import MAX_EDITABLE
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.memory.conflict import Answer
    from memtui.workspace.workspace import Workspace


class SplitDialog(Dialog[Change | None]):
    """Closes with the change, None if nothing was split; a refused split stays to be corrected."""

    BINDINGS = command_table.bindings(names.SPLIT)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, detail: Detail) -> None:
        super().__init__()
        self._workspace = workspace
        self._detail = detail
        self._relations = RELATIONS[0]
        self._has_relations = False
        self._proposal = ""
        self._discarding = False  # esc was pressed once

    def compose(self) -> ComposeResult:
        with Vertical(id="split", classes="dialog"):
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        self.query_one("#split").border_title = Content(wording.SPLIT_TITLE)
        self.area = self.query_one(SafeArea)
        self._tokens = SecretTokens()
        self._content = self._tokens.hide(self._detail.memory.content)
        self._fill(self._content)
        self._show_keys()
        if self.area.read_only and len(self._detail.memory.content) > MAX_EDITABLE:
            self.show_message(wording.too_long(len(self._detail.memory.content)))
        elif self.area.read_only:
            self.show_message(wording.CLEAN_BEFORE_SPLIT)
        else:
            self.show_message(wording.HOW_TO_SPLIT)
        self.area.focus()

    def _fill(self, text: str) -> None:
        """Load a text with the cuts that are proposed; one that is unsafe for the terminal or too long is
        made safe and read-only."""
        clean = is_clean(text) and len(text) <= MAX_EDITABLE
        self.area.load_text(splitting.proposed(text) if clean else safe_text(text))
        self.area.read_only = not clean
        self._proposal = self.area.text

    def _show_keys(self) -> None:
        hidden = {"split.clean"} if not self.area.read_only else set()
        if not self._has_relations:
            hidden.add("split.relations")
        keys = command_table.dialog_keys(names.SPLIT, frozenset(hidden))
        self.query_one("#split").border_subtitle = Content(keys)

    # The line below: how many parts there are, and where each goes

    def on_text_area_changed(self) -> None:
        self._discarding = False
        self._describe()

    @property
    def _parts(self) -> list[str]:
        return splitting.edited_parts(self.area.text)

    @worker(wording.PREVIEW_FAILED, group="preview")
    async def _describe(self) -> None:
        """Show what the parts would become; reading it waits for no key, and only the newest counts."""
        await asyncio.sleep(screen.PAUSE)
        parts = self._parts
        if problem := splitting.problem_of(parts):
            self._show_where(wording.as_sentence(problem))
            return
        read = self._workspace.split_preview
        try:
            raw = self._tokens.restore(*parts)
            preview = await self.app.lanes.read(read, self._detail.id, raw, self._relations)
        except Refused as refused:
            self._show_where(refused.message)
            return
        if self._has_relations != bool(preview.relations):
            self._has_relations = bool(preview.relations)
            self._show_keys()
        self._show_where(wording.split_where(preview.where, reworded=preview.reworded))

    def _show_where(self, text: str) -> None:
        self.query_one("#where", Static).update(Content(safe_text(text, one_line=True, limit=400)))

    # Keys

    def action_cut(self) -> None:
        """Cut the text at the cursor; on a cut, remove it."""
        area = self.area
        row, column = area.cursor_location
        line = area.document.get_line(row)
        before, after = line[:column], line[column:]
        if area.read_only:
            self.show_message(wording.CLEAN_BEFORE_SPLIT)
        elif splitting.is_cut(line):
            self._remove_cut(row)
        elif not before.strip():
            area.insert(f"{CUT}\n", (row, 0))
        else:
            start, end = len(before.rstrip()), len(line) - len(after.lstrip())
            area.replace(f"\n{CUT}\n" if after.strip() else f"\n{CUT}", (row, start), (row, end))

    def _remove_cut(self, row: int) -> None:
        """Remove the cut on a line; what it stood for in the memory is there again."""
        area, last = self.area, self.area.document.line_count - 1
        if 0 < row < last:
            above, below = area.document.get_line(row - 1), area.document.get_line(row + 1)
            if gap := splitting.gap_between(self._content, above, below):
                area.replace(gap, (row - 1, len(above)), (row + 1, 0))
                return
        area.delete((row, 0), (row + 1, 0) if row < last else (row, len(area.document.get_line(row))))

    def action_relations(self) -> None:
        if not self._has_relations:
            self.show_message(wording.NO_RELATIONS)
            return
        self._relations = RELATIONS[(RELATIONS.index(self._relations) + 1) % len(RELATIONS)]
        self._describe()

    def action_clean(self) -> None:
        raw = self._content if self.area.read_only else self.area.text
        if is_clean(raw) or len(raw) > MAX_EDITABLE:
            self.show_message(wording.NOTHING_TO_CLEAN)
            return
        if self.area.read_only:
            self._fill(clean_text(raw))
        else:
            self.area.text = clean_text(raw)
        self._show_keys()
        self.show_message(wording.CLEANED_TO_SPLIT)

    def action_cancel(self) -> None:
        if self.writing:
            self.show_message(wording.SPLITTING)
        elif self.area.text != self._proposal and not self._discarding:
            self._discarding = True
            self.show_message(wording.DISCARD_AGAIN)
        else:
            self.dismiss(None)

    def action_save(self) -> None:
        if self.writing:
            return
        parts = self._parts
        if self.area.read_only or not is_clean(self.area.text):
            self.show_message(wording.CLEAN_BEFORE_SPLIT)
        elif problem := splitting.problem_of(parts):
            self.show_message(wording.not_split(f"{problem}."))
        else:
            self._save(parts)

    def _save(self, parts: list[str], *, overwrite: bool = False) -> None:
        """Split; with `overwrite` also a text that changed in the store meanwhile."""
        try:
            parts = self._tokens.restore(*parts)
        except Refused as refused:
            self.show_message(refused.message)
            return
        self.writing = True
        splitting_now = self.app.lanes.write(
            _split, self._workspace, self._detail, parts, self._relations, overwrite
        )
        self._close_when_split(splitting_now)

    @worker(wording.NOT_SPLIT, group="save", exclusive=False)
    async def _close_when_split(self, running: Awaitable[Change]) -> None:
        try:
            change = await running
        except Conflict as conflict:
            self.show_message(conflict.message)
            self.app.push_screen(ConflictDialog(conflict), self._answered)
        except Exception as error:  # whatever it was, the parts stay
            text = error_text(error)
            self.show_message(text if isinstance(error, Refused) else wording.not_split(text))
        else:
            self.dismiss(change)
        finally:
            self.writing = False

    async def _answered(self, answer: Answer | None) -> None:
        if answer == "own":
            self._save(self._parts, overwrite=True)
        elif answer == "stored":
            self._keep_stored()

    @worker(wording.STORED_NOT_READ, group="save", exclusive=False)
    async def _keep_stored(self) -> None:
        """Discard the parts and show what the store holds now."""
        if problem := await stored_problem(self.app, self._workspace, self._detail.memory.store):
            self.show_message(problem)
            return
        self.dismiss(None)
        self.app.show_status(wording.STORED_TEXT_KEPT)
        self.app.reload_all()


def _split(workspace: Workspace, detail: Detail, parts: list[str], relations: str, overwrite: bool) -> Change:
    """Split the memory that `detail` shows; with `overwrite`, whatever text its store holds now."""
    seen = {"content": detail.memory.content}
    if overwrite:
        workspace.pull()
        now = workspace.detail(detail.id)
        seen = {"content": now.memory.content if now is not None else ""}
    return workspace.split(detail.id, parts, relations=relations, seen=seen)
