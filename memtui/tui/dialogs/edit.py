"""Edit or add a memory; the draft outlives a refusal (S-6, S-8, S-92)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from memtui.errors import Conflict, Refused
from memtui.memory.records import Change, Detail
from memtui.text import is_clean, safe_text
from memtui.tui import commands

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

LONGEST = 200_000
"""Characters beyond which the text is shown but not edited here."""
LINES = ("title", "category", "tags")


class EditDialog(ModalScreen[Change | None]):
    """ctrl+s saves, esc leaves; only the fields that were changed are sent."""

    BINDINGS = commands.bindings(commands.EDIT)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, detail: Detail | None) -> None:
        super().__init__()
        self._workspace = workspace
        self._detail = detail
        self._raw = _fields(detail)
        self._start: dict[str, str] = {}
        self._leaving = False
        self._saving = False

    def compose(self) -> ComposeResult:
        with Vertical(id="edit", classes="dialog"):
            yield TextArea(id="content", soft_wrap=True, show_line_numbers=False, compact=True)
            for name in LINES:
                with Horizontal(classes="field"):
                    yield Static(Content(name.capitalize()), classes="name")
                    yield Input(id=name, compact=True, select_on_focus=False)
            yield Static(id="where")
            yield Static(id="said")

    def on_mount(self) -> None:
        box = self.query_one("#edit")
        box.border_title = Content("Edit memory" if self._detail else "New memory")
        box.border_subtitle = Content(commands.dialog_keys(commands.EDIT).replace(" · ctrl+l clean", ""))
        self._fill("content", self._raw["content"])
        for name in LINES:
            self._fill(name, self._raw[name])
        if locked := [name for name in ("content", *LINES) if self._locked(name)]:
            box.border_subtitle = Content(commands.dialog_keys(commands.EDIT))
            why = f"{', '.join(locked)} cannot be edited as it stands: ctrl+l takes the odd characters out."
            self._say(why)
        if len(self._raw["content"]) > LONGEST:
            self._say(f"The text has {len(self._raw['content']):,} characters: too long to edit here.")
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
        if isinstance(widget, TextArea):
            widget.load_text(shown)
            widget.read_only = not clean
        else:
            widget.value = shown
            widget.disabled = not clean
        self._start[name] = self._text(name)

    def _widget(self, name: str) -> TextArea | Input:
        return (
            self.query_one("#content", TextArea) if name == "content" else self.query_one(f"#{name}", Input)
        )

    def _locked(self, name: str) -> bool:
        widget = self._widget(name)
        return widget.read_only if isinstance(widget, TextArea) else widget.disabled

    def _text(self, name: str) -> str:
        widget = self._widget(name)
        return widget.text if isinstance(widget, TextArea) else widget.value

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
        locked = [name for name in ("content", *LINES) if self._locked(name)]
        if not locked or len(self._raw["content"]) > LONGEST:
            self._say("Nothing to clean: the text can be edited as it is.")
            return
        for name in locked:
            raw = self._raw[name].replace("\r\n", "\n")
            text = "".join(c for c in raw if is_clean(c))
            self._fill(name, text if name == "content" else " ".join(text.split()))
            self._start[name] = self._raw[name]
        self._say("Cleaned; ctrl+s writes it back.")

    def action_cancel(self) -> None:
        if self._changes() and not self._leaving:
            self._leaving = True
            self._say("esc again drops the changes.")
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
        if not changes and self._detail is not None:
            self.dismiss(None)
            self.app.say("Nothing was changed.")
        elif self._detail is None and not any(changes.values()):
            self._say("Write something first; esc leaves.")
        else:
            self._save(changes, over=False)

    @work(group="save")
    async def _save(self, changes: dict[str, Any], *, over: bool) -> None:
        """Write it; with `over`, after reading the store again, over what stands there now."""
        workspace, detail, lane = self._workspace, self._detail, self.app.lane
        self._saving = True
        try:
            if over:
                await lane.change(workspace.pull)
            if detail is None:
                self.dismiss(await lane.change(workspace.add, changes))
            else:
                self.dismiss(await lane.change(workspace.edit, [detail.id], changes))
        except Conflict as conflict:
            from memtui.tui.dialogs.conflict import ConflictDialog

            self._say(conflict.message)
            self.app.push_screen(ConflictDialog(conflict), self._answered)
        except Refused as refused:
            self._say(f"{refused.message} {refused.hint}")
        finally:
            self._saving = False

    async def _answered(self, answer: str | None) -> None:
        if answer == "mine":
            self._save(self._changes(), over=True)
        elif answer == "theirs":
            self._take_theirs()

    @work(group="save")
    async def _take_theirs(self) -> None:
        """Drop the draft and show what stands in the store."""
        await self.app.lane.change(self._workspace.pull)
        self.dismiss(None)
        self.app.say("Kept the text of the store; your changes were dropped.")
        self.app.show_theirs()

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(Content(safe_text(text, one_line=True, limit=600)))


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
