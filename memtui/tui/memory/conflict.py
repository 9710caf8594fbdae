"""The dialog of a conflict: both texts side by side, when the store has changed meanwhile (S-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Conflict
from memtui.memory.secrets.masking import hidden, masked_deep
from memtui.text import screen_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.workers.guarded import error_text
from memtui.values import Fields

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

Answer = Literal["stored", "own", "back"]


class ConflictDialog(Dialog[Answer]):
    """Closes with the text to keep, the stored or the user's own, or with "back"; it writes nothing."""

    BINDINGS = command_table.bindings(names.CONFLICT)

    def __init__(self, conflict: Conflict) -> None:
        super().__init__()
        self._conflict = conflict

    def compose(self) -> ComposeResult:
        with Container(id="conflict", classes="dialog"), Vertical():
            yield Static(Content(screen_text(hidden(self._conflict.message), limit=1000)), id="message")
            with Horizontal():
                yield VerticalScroll(Static(_fields_text(self._conflict.intended)), id="own", classes="side")
                yield VerticalScroll(Static(_fields_text(self._conflict.stored)), id="stored", classes="side")

    def on_mount(self) -> None:
        box = self.query_one("#conflict")
        box.border_title = Content(wording.CONFLICT_TITLE)
        box.border_subtitle = Content(command_table.dialog_keys(names.CONFLICT))
        self.query_one("#own").border_title = Content("Yours")
        self.query_one("#stored").border_title = Content(wording.STORED_TITLE)
        self.query_one("#stored").focus()

    def action_keep_stored(self) -> None:
        self.dismiss("stored")

    def action_write_own(self) -> None:
        self.dismiss("own")

    def action_back(self) -> None:
        self.dismiss("back")


async def stored_problem(app: MemtuiApp, workspace: Workspace, store: str) -> str:
    """Read the stores again; return why a store could not be read, "" if it was. The draft stays."""
    try:
        pulled = await app.lanes.background(workspace.pull)
    except Exception as error:  # whatever it was, the draft stays
        return wording.store_not_read(error_text(error))
    if problem := pulled.errors.get(store):
        return wording.draft_still_here(problem)
    return wording.STORE_BUSY if store in pulled.postponed else ""


def _fields_text(fields: Fields) -> Content:
    parts: list[tuple[str, str]] = []
    for name, value in masked_deep(fields).items():
        if isinstance(value, (list, tuple)):
            text = ", ".join(map(str, value))
        else:
            text = "" if value is None else str(value)
        parts += [
            (screen_text(name, one_line=True), "$accent"),
            ("\n", ""),
            (screen_text(text) or wording.EMPTY, ""),
            ("\n\n", ""),
        ]
    return Content.assemble(*parts)
