"""The dialog that edits or adds a memory; the draft survives a refusal (S-6, S-8, S-92)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

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
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.workers.guarded import error_text, worker
from memtui.values import Fields

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.memory.conflict import Answer
    from memtui.workspace.workspace import Workspace

MAX_EDITABLE = 200_000
"""Characters; a longer text is shown, but cannot be edited here."""
LINE_FIELDS = ("title", "category", "tags")
FIELDS = ("content", *LINE_FIELDS)


class _Gone(Exception):
    """The memory is no longer in its store."""


class EditDialog(Dialog[Change | None]):
    """Closes with the change, None if nothing was changed; only changed fields are written."""

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
        self._discarding = False  # esc was pressed once
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="edit", classes="dialog"):
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            for name in LINE_FIELDS:
                with Horizontal(classes="field"):
                    yield Static(Content(name.capitalize()), classes="name")
                    yield SafeInput(id=name, compact=True, select_on_focus=False)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#edit")
        box.border_title = Content(wording.EDIT_TITLE if self._detail else wording.ADD_TITLE)
        keys = command_table.dialog_keys(command_table.EDIT, hidden=frozenset({"edit.clean"}))
        box.border_subtitle = Content(keys)
        self._fill("content", self._raw["content"])
        for name in LINE_FIELDS:
            self._fill(name, self._raw[name])
        for name, text in self._draft.items():
            self._put(name, text)
        if locked := [name for name in FIELDS if self._locked(name)]:
            box.border_subtitle = Content(command_table.dialog_keys(command_table.EDIT))
            self.show_message(wording.locked_fields(locked))
        if len(self._raw["content"]) > MAX_EDITABLE:
            self.show_message(wording.too_long(len(self._raw["content"])))
        self.query_one("#content").focus()

    def on_descendant_focus(self) -> None:
        """Show where the focused field would be written (S-8)."""
        name = self.focused.id if self.focused is not None else None
        if name in self._raw:
            found = self._detail.consequences.get(f"edit {name}") if self._detail else None
            text = found.text if found is not None else wording.KEPT_BY_MEMTUI
            where = safe_text(text, one_line=True, limit=400)
            self.query_one("#where", Static).update(Content(wording.written_where(name, where)))

    # Fields: raw text is put into an editor only if it cannot act on a terminal.

    def _fill(self, name: str, raw: str) -> None:
        one_line = name != "content"
        clean = is_clean(raw) and not (one_line and ("\n" in raw or "\t" in raw)) and len(raw) <= MAX_EDITABLE
        shown = raw if clean else safe_text(raw, one_line=one_line)
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
        """Return the editable fields with invisible characters, such as half of an emoji."""
        return [name for name in FIELDS if not self._locked(name) and not is_clean(self._text(name))]

    def _changes(self) -> Fields:
        """Return the changed fields."""
        changes: Fields = {}
        for name, before in self._start.items():
            text = self._text(name)
            if text != before:
                changes[name] = (
                    tuple(t.strip() for t in text.split(",") if t.strip()) if name == "tags" else text
                )
        return changes

    # Keys

    def action_clean(self) -> None:
        locked = [name for name in FIELDS if self._locked(name) and len(self._raw[name]) <= MAX_EDITABLE]
        unclean = self._unclean()
        if not locked and not unclean:
            self.show_message(wording.NOTHING_TO_CLEAN)
            return
        for name in locked:
            text = clean_text(self._raw[name])
            self._fill(name, text if name == "content" else " ".join(text.split()))
            self._start[name] = self._raw[name]
        for name in unclean:
            self._put(name, clean_text(self._text(name)))
        self.show_message(wording.CLEANED)

    def action_cancel(self) -> None:
        if self._gone:
            self.app.draft = {name: self._text(name) for name in FIELDS if not self._locked(name)}
            self.dismiss(None)
            self.app.show_status(wording.draft_kept(self.app.key("memory.add")))
        elif self._changes() and not self._discarding:
            self._discarding = True
            self.show_message(wording.DISCARD_AGAIN)
        else:
            self.dismiss(None)

    def on_text_area_changed(self) -> None:
        self._discarding = False

    def on_input_changed(self) -> None:
        self._discarding = False

    def action_save(self) -> None:
        if self._saving:
            return
        changes = self._changes()
        if unclean := [name for name in self._unclean() if name in changes]:
            self.show_message(wording.not_clean(unclean))
        elif not changes and self._detail is not None:
            self.dismiss(None)
            self.app.show_status(wording.NOTHING_CHANGED)
        elif self._detail is None and not any(changes.values()):
            self.show_message(wording.NOTHING_WRITTEN)
        else:
            self._save(changes)

    def _save(self, changes: Fields, *, overwrite: bool = False) -> None:
        """Write the changes; with `overwrite` also over a text that changed in the store meanwhile."""
        self._saving = True
        writing = self.app.lanes.write(_write, self._workspace, self._detail, changes, overwrite)
        self._close_when_saved(writing)

    @worker(wording.NOT_SAVED, group="save", exclusive=False)
    async def _close_when_saved(self, writing: Awaitable[Change]) -> None:
        try:
            change = await writing
        except Conflict as conflict:
            from memtui.tui.memory.conflict import ConflictDialog

            self.show_message(conflict.message)
            self.app.push_screen(ConflictDialog(conflict), self._answered)
        except _Gone:
            self._gone = True
            self.show_message(wording.MEMORY_GONE)
        except Exception as error:  # whatever it was, the draft stays
            text = error_text(error)
            self.show_message(text if isinstance(error, Refused) else wording.not_saved(text))
        else:
            self.dismiss(change)
        finally:
            self._saving = False

    async def _answered(self, answer: Answer | None) -> None:
        if answer == "own":
            self._save(self._changes(), overwrite=True)
        elif answer == "stored":
            self._keep_stored()

    @worker(wording.STORED_NOT_READ, group="save", exclusive=False)
    async def _keep_stored(self) -> None:
        """Discard the draft and show what the store holds now."""
        from memtui.tui.memory.conflict import stored_problem

        store = self._detail.memory.store if self._detail is not None else ""
        if problem := await stored_problem(self.app, self._workspace, store):
            self.show_message(problem)
            return
        self.dismiss(None)
        self.app.show_status(wording.STORED_TEXT_KEPT)
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


def _write(workspace: Workspace, detail: Detail | None, changes: Fields, overwrite: bool) -> Change:
    """Add a memory, or edit the one that `detail` shows; with `overwrite`, whatever its store holds now.

    Raise _Gone if the memory is no longer in its store."""
    if detail is None:
        return workspace.add(changes)
    before: Detail | None = detail
    if overwrite:
        workspace.pull()
        before = workspace.detail(detail.id)
    if before is None or (overwrite and before.removed_at is not None):
        raise _Gone
    seen = {name: getattr(before.memory, name) for name in changes}
    try:
        return workspace.edit([detail.id], changes, seen=seen)
    except Conflict:
        raise
    except Refused:
        now = workspace.detail(detail.id)
        if now is None or (now.removed_at is not None and detail.removed_at is None):
            raise _Gone from None
        raise
