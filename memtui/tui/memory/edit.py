"""Edit or add a memory; the draft outlives a refusal (S-6, S-8, S-92)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Conflict, Refused
from memtui.memory.detail import Detail
from memtui.memory.results import Change
from memtui.text import clean_text, is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_area import SafeArea
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LONGEST = 200_000
"""Characters beyond which the text is shown but not edited here."""
LINES = ("title", "category", "tags")
FIELDS = ("content", *LINES)
GONE = "The store no longer has this memory; ctrl+s cannot write it. esc, then a, adds it anew."


class _Gone(Exception):
    """The memory is not in its store any more."""


class EditDialog(Dialog[Change | None]):
    """ctrl+s saves, esc leaves; only the fields that were changed are sent."""

    BINDINGS = command_table.bindings(command_table.EDIT)
    app: MemtuiApp

    def __init__(
        self, workspace: Workspace, detail: Detail | None, draft: dict[str, str] | None = None
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._detail = detail
        self._draft = draft or {}
        self._gone = False
        self._raw = _fields(detail)
        self._start: dict[str, str] = {}
        self._leaving = False
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="edit", classes="dialog"):
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            for name in LINES:
                with Horizontal(classes="field"):
                    yield Static(Content(name.capitalize()), classes="name")
                    yield SafeInput(id=name, compact=True, select_on_focus=False)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#edit")
        box.border_title = Content("Edit memory" if self._detail else "New memory")
        box.border_subtitle = Content(
            command_table.dialog_keys(command_table.EDIT).replace(" · ctrl+l clean", "")
        )
        self._fill("content", self._raw["content"])
        for name in LINES:
            self._fill(name, self._raw[name])
        for name, text in self._draft.items():
            self._put(name, text)
        if locked := [name for name in FIELDS if self._locked(name)]:
            box.border_subtitle = Content(command_table.dialog_keys(command_table.EDIT))
            why = f"{', '.join(locked)} cannot be edited as it stands: ctrl+l takes the odd characters out."
            self.show_message(why)
        if len(self._raw["content"]) > LONGEST:
            self.show_message(f"The text has {len(self._raw['content']):,} characters: too long to edit here.")
        self.query_one("#content").focus()

    def on_descendant_focus(self) -> None:
        """Before a change, in words: where the field under the cursor will be written (S-8)."""
        name = self.focused.id if self.focused is not None else None
        if name in self._raw:
            said = self._detail.consequences if self._detail else {}
            where = said.get(f"edit {name}", "is kept in memtui's own store")
            self.query_one("#where", Static).update(
                Content(f"ctrl+s  {name}: {safe_text(where, one_line=True, limit=400)}")
            )

    # Fields: raw text stands in an editor only if it cannot act on a terminal.

    def _fill(self, name: str, raw: str) -> None:
        line = name != "content"
        clean = is_clean(raw) and not (line and ("\n" in raw or "\t" in raw)) and len(raw) <= LONGEST
        shown = raw if clean else safe_text(raw, one_line=line)
        widget = self._widget(name)
        if isinstance(widget, SafeArea):
            widget.load_text(shown)
            widget.read_only = not clean
        else:
            widget.value = shown
            widget.disabled = not clean
        self._start[name] = self._text(name)

    def _widget(self, name: str) -> SafeArea | SafeInput:
        return (
            self.query_one("#content", SafeArea)
            if name == "content"
            else self.query_one(f"#{name}", SafeInput)
        )

    def _locked(self, name: str) -> bool:
        widget = self._widget(name)
        return widget.read_only if isinstance(widget, SafeArea) else widget.disabled

    def _text(self, name: str) -> str:
        widget = self._widget(name)
        return widget.text if isinstance(widget, SafeArea) else widget.value

    def _put(self, name: str, text: str) -> None:
        widget = self._widget(name)
        if isinstance(widget, SafeArea):
            widget.text = text
        else:
            widget.value = text

    def _unclean(self) -> list[str]:
        """Fields that can be edited, yet hold what is not seen: half of an emoji."""
        return [name for name in FIELDS if not self._locked(name) and not is_clean(self._text(name))]

    def _changes(self) -> dict[str, Any]:
        """Only what was changed."""
        changes: dict[str, Any] = {}
        for name, before in self._start.items():
            text = self._text(name)
            if text != before:
                changes[name] = (
                    tuple(t.strip() for t in text.split(",") if t.strip()) if name == "tags" else text
                )
        return changes

    # Keys

    def action_clean(self) -> None:
        locked = [name for name in FIELDS if self._locked(name) and len(self._raw[name]) <= LONGEST]
        unclean = self._unclean()
        if not locked and not unclean:
            self.show_message("Nothing to clean here.")
            return
        for name in locked:
            text = clean_text(self._raw[name])
            self._fill(name, text if name == "content" else " ".join(text.split()))
            self._start[name] = self._raw[name]
        for name in unclean:
            self._put(name, clean_text(self._text(name)))
        self.show_message("Cleaned; ctrl+s writes it back.")

    def action_cancel(self) -> None:
        if self._gone:
            self.app.draft = {name: self._text(name) for name in FIELDS if not self._locked(name)}
            self.dismiss(None)
            self.app.show_status("Your text is kept: a opens it as a new memory.")
        elif self._changes() and not self._leaving:
            self._leaving = True
            self.show_message("esc again drops the changes.")
        else:
            self.dismiss(None)

    def on_text_area_changed(self) -> None:
        self._leaving = False

    def on_input_changed(self) -> None:
        self._leaving = False

    def action_save(self) -> None:
        if self._saving:
            return
        changes = self._changes()
        if unclean := [name for name in self._unclean() if name in changes]:
            self.show_message(f"Not saved: {', '.join(unclean)} holds odd characters; ctrl+l takes them out.")
        elif not changes and self._detail is not None:
            self.dismiss(None)
            self.app.show_status("Nothing was changed.")
        elif self._detail is None and not any(changes.values()):
            self.show_message("Write something first; esc leaves.")
        else:
            self._saving = True
            self._save(changes, over=False)

    @worker("Not saved", group="save", exclusive=False)
    async def _save(self, changes: dict[str, Any], *, over: bool) -> None:
        """Write it; with `over`, after reading the store again, over what stands there now."""
        try:
            change = await self._write(changes, over=over)
        except Conflict as conflict:
            from memtui.tui.memory.conflict import ConflictDialog

            self.show_message(conflict.message)
            self.app.push_screen(ConflictDialog(conflict), self._answered)
        except _Gone:
            self._gone = True
            self.show_message(GONE)
        except Exception as error:  # whatever it was: the draft stays
            said = error_text(error)
            self.show_message(said if isinstance(error, Refused) else f"Not saved: {said}")
        else:
            self.dismiss(change)
        finally:
            self._saving = False

    async def _write(self, changes: dict[str, Any], *, over: bool) -> Change:
        workspace, detail, lanes = self._workspace, self._detail, self.app.lanes
        if detail is None:
            return await lanes.write(workspace.add, changes)
        before: Detail | None = detail
        if over:
            await lanes.background(workspace.pull)
            before = await lanes.read(workspace.detail, detail.id)
        if before is None or (over and before.removed_at is not None):
            raise _Gone
        seen = {name: getattr(before.memory, name) for name in changes}
        try:
            return await lanes.write(partial(workspace.edit, [detail.id], changes, seen=seen))
        except Conflict:
            raise
        except Refused:
            now = await lanes.read(workspace.detail, detail.id)
            if now is None or (now.removed_at is not None and detail.removed_at is None):
                raise _Gone from None
            raise

    async def _answered(self, answer: str | None) -> None:
        if answer == "mine":
            self._saving = True
            self._save(self._changes(), over=True)
        elif answer == "theirs":
            self._take_theirs()

    @worker("Not read", group="save", exclusive=False)
    async def _take_theirs(self) -> None:
        """Drop the draft and show what stands in the store."""
        try:
            pulled = await self.app.lanes.background(self._workspace.pull)
        except Exception as error:  # whatever it was: the draft stays
            self.show_message(f"The store could not be read: {error_text(error)} Your text is still here.")
            return
        if self._detail is not None and (trouble := pulled.errors.get(self._detail.memory.store)):
            self.show_message(f"{trouble} Your text is still here.")
            return
        if self._detail is not None and self._detail.memory.store in pulled.postponed:
            self.show_message("The store is being changed just now. Your text is still here; try again.")
            return
        self.dismiss(None)
        self.app.show_status("Kept the text of the store; your changes were dropped.")
        self.app.reload_all()


def _fields(detail: Detail | None) -> dict[str, str]:
    if detail is None:
        return {"content": "", "title": "", "category": "", "tags": ""}
    memory = detail.memory
    return {
        "content": memory.content,
        "title": memory.title or "",
        "category": memory.category or "",
        "tags": ", ".join(memory.tags),
    }
