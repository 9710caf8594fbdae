"""Attach a store by its path: typed, completed, and refused in words (S-2, S-3)."""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory.stores import StoreInfo
from memtui.text import is_clean
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import Opened
from memtui.tui.stores.store_text import tail
from memtui.tui.workers.guarded import error_text, worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

HOME = "~/"  # what stands in the line at first
MOST = 1000  # candidates of a folder that are listed
ABOUT = "A file or a folder. What it is shows in its content; attaching only reads it."


class CandidateList(VirtualList):
    """What the path may go on with; the cursor is moved from the input."""

    can_focus = False

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.paths: list[str] = []

    def show(self, paths: list[str]) -> None:
        """Other candidates now."""
        self.paths = paths
        self.refill(len(paths), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        path = self.paths[index]
        return [(" ", "plain"), (tail(path, width - 1), "plain" if path.endswith("/") else "quiet")]


class AttachDialog(Dialog[list[StoreInfo] | None]):
    """Answers with what was attached; nothing typed is lost by a refusal."""

    BINDINGS = command_table.bindings(command_table.ATTACH)
    SAYS = 1500
    app: MemtuiApp

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._reading = False

    def compose(self) -> ComposeResult:
        with Vertical(id="attach", classes="dialog"):
            yield SafeInput(HOME, id="path", compact=True, select_on_focus=False)
            yield CandidateList(id="candidates")
            yield Static(Content(ABOUT), id="message")

    def on_mount(self) -> None:
        box = self.query_one("#attach")
        box.border_title = Content("Attach a store")
        box.border_subtitle = Content("⏎ attach · tab complete · esc cancel")
        self.path = self.query_one(SafeInput)
        self.candidates = self.query_one(CandidateList)
        self.path.cursor_position = len(self.path.value)
        self.path.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value.startswith((f"{HOME}/", f"{HOME}~")):
            # A path from the root, or a home, typed or pasted behind what stood there.
            self.path.value = event.value.removeprefix(HOME)
            self.path.cursor_position = len(self.path.value)
            return
        self.show_message(ABOUT)
        self._list(event.value)

    @worker("The folder could not be read", group="candidates")
    async def _list(self, text: str) -> None:
        found = await self.app.lanes.background(candidates, text)
        self.candidates.empty_lines = [("Nothing here begins so.", "quiet")]
        self.candidates.show(found)

    # Keys

    def action_up(self) -> None:
        self.candidates.action_up()

    def action_down(self) -> None:
        self.candidates.action_down()

    def action_complete(self) -> None:
        """As far as all candidates agree, else the highlighted one."""
        paths, cursor = self.candidates.paths, self.candidates.cursor
        if not paths:
            return
        shared = _shared(paths)
        chosen = shared if not cursor and len(shared) > len(self.path.value) else paths[cursor]
        if is_clean(chosen):
            self.path.value = chosen
            self.path.cursor_position = len(chosen)
        else:
            self.show_message("This name holds characters that cannot be typed. Attach the folder that it is in.")

    def on_opened(self, message: Opened) -> None:
        self.action_complete()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            self.show_message("Type the path of a file or a folder.")
        elif not self._reading:
            self._reading = True
            self.show_message("Reading it …")
            self._read(event.value.strip())

    @worker("It could not be attached", group="attach", exclusive=False)
    async def _read(self, path: str) -> None:
        try:
            infos = await self.app.lanes.background(self._workspace.attach, path)
        except Refused as refused:
            self.show_message(f"{refused.message} {refused.hint}".strip())
        except Exception as error:  # whatever it was: the path stays
            self.show_message(f"It could not be attached: {error_text(error)}")
        else:
            self.dismiss(infos)
        finally:
            self._reading = False

    def action_cancel(self) -> None:
        if self._reading:
            self.show_message("It is being read; what is begun is finished first.")
        else:
            self.dismiss(None)


def candidates(text: str) -> list[str]:
    """The paths that `text` may go on to: folders with a slash behind them, hidden names last."""
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
    except (OSError, RuntimeError, ValueError):  # no such folder, no such person, a NUL
        return []
    found.sort(key=lambda name: (name.startswith("."), name.casefold()))
    return [f"{above}{name}" for name in found[:MOST]]


def _shared(paths: list[str]) -> str:
    """What all begin with."""
    first, last = min(paths), max(paths)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(one for one, _ in same)
