"""The base of the dialogs that ask for a path, with completion (S-3, S-74)."""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.text import is_clean, safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.stores import wording
from memtui.tui.stores.store_text import fit_end
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp

T = TypeVar("T")
HOME = "~/"  # the initial value of the input
MAX_CANDIDATES = 1000  # listed of a folder
_TITLE = 80  # characters


class CandidateList(VirtualList):
    """The paths that complete the input; its cursor is moved from the input."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.paths: list[str] = []

    def show(self, paths: list[str]) -> None:
        """List other candidates."""
        self.paths = paths
        self.refill(len(paths), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        path = self.paths[index]
        return [(" ", "plain"), (fit_end(path, width - 1), "plain" if path.endswith("/") else "quiet")]


class PathDialog(Dialog[T]):
    """Asks for a path, and begins with it what the dialog is for; a refusal leaves the input as it is."""

    BINDINGS = command_table.bindings(names.ATTACH)
    KEYS: ClassVar[str]
    HELP: ClassVar[str]
    app: MemtuiApp

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self.reading = False
        """Whether what was entered is being read."""

    def begin(self, path: str) -> None:
        """Read what was entered; called while `reading`."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Vertical(id="attach", classes="dialog"):
            yield SafeInput(HOME, id="path", compact=True, select_on_focus=False)
            yield CandidateList(id="candidates")
            yield Static(Content(self.HELP), id="message")

    def on_mount(self) -> None:
        box = self.query_one("#attach")
        box.border_title = Content(safe_text(self._title, one_line=True, limit=_TITLE))
        box.border_subtitle = Content(self.KEYS)
        self.path = self.query_one(SafeInput)
        self.candidates = self.query_one(CandidateList)
        self.path.cursor_position = len(self.path.value)
        self.path.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.path.value.startswith((f"{HOME}/", f"{HOME}~")):
            # An absolute path, or one from a home, typed or pasted after the initial value; more may have
            # been typed since.
            self.path.value = self.path.value.removeprefix(HOME)
            self.path.cursor_position = len(self.path.value)
            return
        if not self.reading:
            self.show_message(self.HELP)
        self._list(event.value)

    @worker(wording.FOLDER_UNREADABLE, group="candidates")
    async def _list(self, text: str) -> None:
        found = await self.app.lanes.background(candidates, text)
        self.candidates.empty_lines = [(wording.NO_CANDIDATES, "quiet")]
        self.candidates.show(found)

    # Keys

    def action_up(self) -> None:
        self.candidates.action_up()

    def action_down(self) -> None:
        self.candidates.action_down()

    def action_complete(self) -> None:
        """Complete the path as far as all candidates agree, else to the highlighted one."""
        paths, cursor = self.candidates.paths, self.candidates.cursor
        if not paths:
            return
        prefix = _common_prefix(paths)
        chosen = prefix if not cursor and len(prefix) > len(self.path.value) else paths[cursor]
        if is_clean(chosen):
            self.path.value = chosen
            self.path.cursor_position = len(chosen)
        else:
            self.show_message(wording.NOT_TYPABLE)

    def on_opened(self, message: Opened) -> None:
        self.action_complete()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.show_message(wording.TYPE_A_PATH)
        elif not self.reading:
            self.reading = True
            self.show_message(wording.READING_IT)
            self.begin(event.value.strip())


def candidates(text: str) -> list[str]:
    """Return the paths that complete `text`, folders with a slash at the end, hidden names last."""
    if text == "~":
        return ["~/"]
    start = text.rpartition("/")[2]
    above = text[: len(text) - len(start)]
    try:
        with os.scandir(Path(above).expanduser() if above else Path.cwd()) as entries:
            found = [
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in entries
                if entry.name.startswith(start)
            ]
    except (OSError, RuntimeError, ValueError):  # no such folder, no such user, a NUL
        return []
    found.sort(key=lambda name: (name.startswith("."), name.casefold()))
    return [f"{above}{name}" for name in found[:MAX_CANDIDATES]]


def _common_prefix(paths: list[str]) -> str:
    """Return the common prefix."""
    first, last = min(paths), max(paths)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(char for char, _ in same)
