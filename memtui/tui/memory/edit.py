"""The dialog that edits or adds a memory; the draft survives a refusal (S-6, S-8, S-92)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Conflict, Refused
from memtui.memory.detail import Detail
from memtui.memory.results import Change
from memtui.memory.secrets.tokens import SecretTokens
from memtui.text import clean_text, is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_area import SafeArea
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.memory.edit_fields import (
    ADD_FIELDS,
    FIELDS,
    LINE_FIELDS,
    MORE_FIELDS,
    label_of,
    text_of,
    value_of,
)
from memtui.tui.memory.saving import Gone, save
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import error_text, worker
from memtui.values import Fields

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.tui.memory.add_to_dialog import Place
    from memtui.tui.memory.conflict import Answer
    from memtui.workspace.workspace import Workspace

MAX_EDITABLE = 200_000
"""Characters; a longer text is shown, but cannot be edited here."""


class EditDialog(Dialog[Change | None]):
    """Closes with the change, None if nothing was changed; only changed fields are written."""

    BINDINGS = command_table.bindings(names.EDIT)
    app: MemtuiApp

    def __init__(
        self,
        workspace: Workspace,
        detail: Detail | None,
        draft: dict[str, str] | None = None,
        place: Place | None = None,
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._detail = detail
        self._draft = draft or {}
        self._gone = False
        self._place = place  # where a new memory goes; None for memtui's own store
        memory = detail.memory if detail is not None else None
        more = MORE_FIELDS if detail is not None else (*MORE_FIELDS, *ADD_FIELDS)
        self._tokens = SecretTokens()
        self._raw = {name: self._tokens.hide(text_of(memory, name)) for name in (*FIELDS, *more)}
        self._start: dict[str, str] = {}
        self._discarding = False  # esc was pressed once
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="edit", classes="dialog"):
            yield SafeArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            for name in LINE_FIELDS:
                yield _line(name)
            with VerticalScroll(id="more", can_focus=False):
                for name in self._raw:
                    if name not in FIELDS:
                        yield _line(name)
            yield Static(id="where")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#edit")
        box.border_title = Content(self._edit_title() if self._detail else self._add_title())
        self.query_one("#more").display = False
        keys = command_table.dialog_keys(names.EDIT, hidden=frozenset({"edit.clean"}))
        box.border_subtitle = Content(keys)
        self._fill("content", self._raw["content"])
        for name in list(self._raw)[1:]:
            self._fill(name, self._raw[name])
        if self._place is not None and self._place.owner:
            self._fill("owner", self._place.owner)
        for name, text in self._draft.items():
            self._put(name, text)
        if locked := [name for name in self._raw if self._locked(name)]:
            box.border_subtitle = Content(command_table.dialog_keys(names.EDIT))
            self.show_message(wording.locked_fields(locked))
        if len(self._raw["content"]) > MAX_EDITABLE:
            self.show_message(wording.too_long(len(self._raw["content"])))
        area = self.query_one("#content", SafeArea)
        area.move_cursor((0, len(area.document.get_line(0))))
        area.focus()

    def on_descendant_focus(self) -> None:
        """Show where the focused field would be written (S-8)."""
        name = (self.focused.id if self.focused is not None else None) or ""
        if name in self._raw:
            found = self._detail.consequences.get(f"edit {name}") if self._detail else None
            text = found.text if found is not None else self._where_added(name)
            where = safe_text(text, one_line=True, limit=400)
            self.query_one("#where", Static).update(
                Content(wording.written_where(label_of(name).lower(), where))
            )

    def _edit_title(self) -> str:
        """Return the title, which says what the text is about: that alone may be "Owner: Ana"."""
        names = [self._raw["title"], self._raw["subject"], self._raw["key"]]
        return wording.edit_title(one_line(next(filter(str.strip, names), ""), 50))

    def _add_title(self) -> str:
        if self._place is None:
            return wording.ADD_TITLE
        return wording.add_title(one_line(self._place.target.store, 40), one_line(self._place.owner, 30))

    def _where_added(self, name: str) -> str:
        """Return where a field of a new memory is kept, and what it can be."""
        if self._place is None or self._place.target.store == "native":
            return wording.KEPT_BY_MEMTUI
        target = self._place.target
        kind = self._text("kind").strip() or next(iter(target.fields), "")
        held = name == "kind" or name in target.fields.get(kind, frozenset())
        choices = {"kind": tuple(target.fields), "category": target.categories}.get(name, ())
        return wording.added_where(target.store, held=held, choices=choices)

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
        return [name for name in self._raw if not self._locked(name) and not is_clean(self._text(name))]

    def _changed(self) -> dict[str, str]:
        """Return the texts of the changed fields."""
        texts = {name: self._text(name) for name in self._start}
        return {name: text for name, text in texts.items() if text != self._start[name]}

    def _changes(self) -> Fields:
        """Return the changed fields; raise NotSaved if a text is no value of its field."""
        now = self.app.clock()
        changed = self._changed()
        self._tokens.restore(*(self._text(name) for name in self._start))  # a token that is there twice
        texts = zip(changed, self._tokens.restore(*changed.values()), strict=True)
        changes = {name: value_of(name, text, now) for name, text in texts}
        if self._place is not None and self._place.owner:
            changes.setdefault("owner", self._place.owner)
        return changes

    # Keys

    def action_clean(self) -> None:
        locked = [name for name in self._raw if self._locked(name) and len(self._raw[name]) <= MAX_EDITABLE]
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
        if self._saving:  # what it changed is announced by this dialog
            self.show_message(wording.SAVING)
        elif self._gone:
            self.app.draft = {name: self._text(name) for name in FIELDS if not self._locked(name)}
            self.dismiss(None)
            self.app.show_status(wording.draft_kept(self.app.key("memory.add")))
        elif self._changed() and not self._discarding:
            self._discarding = True
            self.show_message(wording.DISCARD_AGAIN)
        else:
            self.dismiss(None)

    def action_more(self) -> None:
        """Show or hide the fields that are rarely edited; what was typed there is kept."""
        more = self.query_one("#more")
        more.display = not more.display
        self.query_one("#edit").set_class(more.display, "with-more")
        self.query_one("#subject" if more.display else "#content").focus()

    def on_text_area_changed(self) -> None:
        self._discarding = False

    def on_input_changed(self) -> None:
        self._discarding = False

    def action_save(self) -> None:
        if self._saving:
            return
        try:
            changes = self._changes()
        except Refused as refused:
            self.show_message(refused.message)
            return
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
        store = self._place.target.store if self._place is not None else "native"
        writing = self.app.lanes.write(save, self._workspace, self._detail, changes, overwrite, store)
        self._close_when_saved(writing)

    @worker(wording.NOT_SAVED, group="save", exclusive=False)
    async def _close_when_saved(self, writing: Awaitable[Change]) -> None:
        try:
            change = await writing
        except Conflict as conflict:
            from memtui.tui.memory.conflict import ConflictDialog

            self.show_message(conflict.message)
            self.app.push_screen(ConflictDialog(conflict), self._answered)
        except Gone:
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


def _line(name: str) -> Horizontal:
    """Return a field of one line with its name."""
    label = Static(Content(label_of(name)), classes="name")
    return Horizontal(label, SafeInput(id=name, compact=True, select_on_focus=False), classes="field")
