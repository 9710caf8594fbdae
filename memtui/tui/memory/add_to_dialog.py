"""The dialog that asks which store a new memory goes to, and whose it is where a store has several owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, Static

from memtui.memory.stores import AddTarget
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import counted, fit
from memtui.tui.text.text_layout import one_line
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class Place(NamedTuple):
    """Where a new memory goes; `owner` is "" where the store does not ask for one."""

    target: AddTarget
    owner: str = ""


class PlaceList(VirtualList):
    """A line per store, or per owner."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="places")
        self.lines: list[tuple[str, str]] = []  # a name, and what to say of it
        self.empty_lines = [(wording.READING, "quiet")]

    @property
    def cursor_active(self) -> bool:
        return True

    def show(self, lines: list[tuple[str, str]]) -> None:
        """Replace the lines."""
        self.lines = lines
        self.styles.height = max(1, min(10, len(lines)))
        self.refill(len(lines), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        name, more = self.lines[index]
        room = min(max(len(one_line(each)) for each, _ in self.lines), max(1, width // 2))
        return [(" ", "plain"), (fit(one_line(name), room), "plain"), ("  ", "plain"),
                (fit(more, max(1, width - room - 3)), "quiet")]  # fmt: skip


class AddToDialog(Dialog[Place | None]):
    """Lists the stores that can take a memory, that of the cursor first; closes by itself if there is one."""

    BINDINGS = command_table.bindings(names.ADD_TO)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, store: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._store = store  # under the cursor
        self._targets: list[AddTarget] = []
        self._target: AddTarget | None = None  # once it is chosen, its owner is asked

    def compose(self) -> ComposeResult:
        with Vertical(id="add-to", classes="dialog verb"):
            yield PlaceList()
            yield SafeInput(id="owner", compact=True, placeholder=wording.ANOTHER_OWNER)
            yield Static(id="message")

    def on_mount(self) -> None:
        self._places, self._input = self.query_one(PlaceList), self.query_one(SafeInput)
        self._input.display, self._input.disabled = False, True
        self._set_titles(wording.ADD_TO_STORE)
        self.load()

    def _set_titles(self, title: str) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(title)
        box.border_subtitle = Content(wording.ADD_TO_KEYS)

    @worker(wording.STORES_NOT_READ, group="targets")
    async def load(self) -> None:
        """List the stores."""
        targets = await self.app.lanes.read(self._workspace.add_targets)
        self._targets = sorted(targets, key=lambda each: (bool(each.read_only), each.store != self._store))
        if sum(not each.read_only for each in targets) == 1:
            self._choose(self._targets[0])
            return
        self._places.show([(each.store, wording.target(counted(each.count, "memory"), bool(each.read_only)))
                           for each in self._targets])  # fmt: skip

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.show_message("")

    def _choose(self, target: AddTarget) -> None:
        if target.read_only:
            self.show_message(target.read_only)
        elif len(target.owners) < 2:
            self.dismiss(Place(target))
        else:
            self._target = target
            self._set_titles(wording.whose(one_line(target.store, 40)))
            self._places.show([(owner, "") for owner in target.owners])
            self._input.display, self._input.disabled = True, False
            self._input.focus()

    # Keys

    def on_key(self, event: Key) -> None:
        """Move with j and k too, unless an owner is typed."""
        if self._target is None and event.key in ("j", "k"):
            event.stop()
            (self._places.action_down if event.key == "j" else self._places.action_up)()

    def action_choose(self) -> None:
        index = self._places.cursor
        if self._target is None:
            if index < len(self._targets):
                self._choose(self._targets[index])
        else:
            self.dismiss(Place(self._target, self._input.value.strip() or self._target.owners[index]))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_choose()

    def on_opened(self, message: Opened) -> None:
        self.action_choose()

    def action_up(self) -> None:
        self._places.action_up()

    def action_down(self) -> None:
        self._places.action_down()

    def action_cancel(self) -> None:
        self.dismiss(None)
