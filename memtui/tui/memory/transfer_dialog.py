"""Copy or move memories into another store; what it cannot hold is shown before (S-8, S-82)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.errors import Refused
from memtui.memory.encoding import iso, plain
from memtui.memory.memory import TIMES
from memtui.memory.results import TransferPreview, TransferResult
from memtui.memory.stores import StoreInfo
from memtui.tui import command_table
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import counted, fit
from memtui.tui.text.text_layout import one_line, table
from memtui.tui.workers.guarded import worker

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

WIDTH = 76  # cells of the text
FORETOLD = 200  # memories of which it is told before what becomes of them
_NAMES = {"source_type": "source", "source_ref": "source", "pinned_by": "pinned", "pinned_why": "pinned"}


class TargetList(VirtualList):
    """A line a store."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.stores: list[StoreInfo] = []
        self.empty_lines = [("Reading …", "quiet")]

    @property
    def highlighted(self) -> StoreInfo | None:
        """The store under the cursor."""
        return self.stores[self.cursor] if self.cursor < len(self.stores) else None

    def show(self, stores: list[StoreInfo]) -> None:
        """Other lines now."""
        self.stores = stores
        self.styles.height = max(2, min(8, len(stores)))
        self.refill(len(stores), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        store = self.stores[index]
        name = max((len(each.name) for each in self.stores), default=0)
        said = "read-only" if store.read_only else counted(store.count, "memory")
        return [
            (" ", "plain"),
            (fit(one_line(store.name), min(name, max(1, width - 18))), "plain"),
            ("  ", "plain"),
            (fit(said, 15), "warn" if store.read_only else "quiet"),
        ]


class TransferDialog(Dialog[TransferResult | None]):
    """Answers with what was done."""

    BINDINGS = command_table.bindings(command_table.CARRY)
    app: MemtuiApp

    def __init__(self, workspace: Workspace, ids: Sequence[int], move: bool) -> None:
        super().__init__()
        self._workspace = workspace
        self._ids = list(ids)
        self._move = move

    def compose(self) -> ComposeResult:
        with Vertical(id="transfer", classes="dialog"):
            yield TargetList(id="targets")
            yield VerticalScroll(Static(id="preview"), can_focus=False)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#transfer")
        verb = "Move" if self._move else "Copy"
        box.border_title = Content(f"{verb} {counted(len(self._ids), 'memory')} to")
        box.border_subtitle = Content(f"⏎ {verb.lower()} · esc cancel")
        self.targets = self.query_one(TargetList)
        self.targets.focus()
        self.load()

    @worker("The stores could not be read", group="targets")
    async def load(self) -> None:
        """The stores that may get them: all but the one where all of them stand."""
        work = self._workspace
        infos, rows = await self.app.lanes.read(lambda: (work.stores(), work.rows(self._ids)))
        here = {row.store for row in rows}
        stores = [info for info in infos if here != {info.name}]
        self.targets.empty_lines = [("There is no other store.", "plain"), ("8 Stores attaches one.", "quiet")]
        self.targets.show(stores)

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.show_message("")
        self._foretell()

    @worker("What becomes of them could not be told", group="foretell")
    async def _foretell(self) -> None:
        store = self.targets.highlighted
        told = self.query_one("#preview", Static)
        if store is None:
            told.update(Content(""))
            return
        try:
            carried = await self.app.lanes.read(self._workspace.carrying, self._ids[:FORETOLD], store.name)
        except Refused as refused:
            told.update(Content(""))
            self.show_message(refused.message)
        else:
            told.update(carried_text(carried, store.read_only, len(self._ids)))

    # Keys

    def action_up(self) -> None:
        self.targets.action_up()

    def action_down(self) -> None:
        self.targets.action_down()

    def on_opened(self, message: Opened) -> None:
        self.action_go()

    def action_go(self) -> None:
        store = self.targets.highlighted
        if store is None:
            self.show_message("There is no store to choose.")
        elif not self.writing:
            self.show_message(f"{'Moving' if self._move else 'Copying'} …")
            act = self._workspace.move if self._move else self._workspace.copy
            self.run_write("Not all was done", partial(act, self._ids, store.name))

    def action_cancel(self) -> None:
        if self.writing:
            self.show_message("It is under way; what is begun is finished first.")
        else:
            self.dismiss(None)


def carried_text(carried: Sequence[TransferPreview], read_only: str, of: int) -> Content:
    """What the store would hold otherwise, what memtui would keep beside it, what would stay behind."""
    if read_only:
        return Content.assemble(("It is read-only: ", "$warning"), (one_line(read_only), ""))
    changed = Counter(
        (name, f"{_said(name, was)} → {_said(name, now)}")
        for each in carried
        for name, (was, now) in each.changed.items()
    )
    kept = Counter(_NAMES.get(name, name) for each in carried for name in dict.fromkeys(each.kept))
    lost = Counter(name for each in carried for name in each.lost)
    rows = [(_plain(name), words + _times(count, of)) for (name, words), count in changed.most_common(8)]
    if len(changed) > 8:
        rows.append(("", f"and {len(changed) - 8} more"))
    if kept:
        rows.append(("kept in memtui alone", ", ".join(map(_plain, kept))))
    if lost:
        rows.append(("stays behind", ", ".join(map(_plain, lost))))
    if not rows:
        return Content("It can hold all of it.")
    if of > len(carried):
        rows.append(("", f"told of the first {len(carried)}"))
    return Content.assemble(*table("What it says otherwise, or cannot hold", rows, WIDTH)[1:-1])


def report(done: TransferResult) -> str:
    """What became of them, in a line for the status line."""
    changed = dict.fromkeys(name for each in done.previews for name in each.changed)
    kept = dict.fromkeys(_NAMES.get(name, name) for each in done.previews for name in each.kept)
    lost = dict.fromkeys(name for each in done.previews for name in each.lost)
    words = []
    for what, names in (("said otherwise", changed), ("kept in memtui", kept), ("left behind", lost)):
        if names:
            some = list(names)[:4]
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            words.append(f"{what}: {', '.join(map(_plain, some))}{more}")
    return "; ".join(words)


def _plain(name: str) -> str:
    return one_line(name, 60).replace("_", " ")


def _said(name: str, value: object) -> str:
    if value is None or value == ():
        return "nothing"
    if name in TIMES and isinstance(value, (int, float)):
        return str(iso(value))
    return one_line(", ".join(map(str, value)) if isinstance(value, tuple) else str(plain(value)), 60)


def _times(count: int, of: int) -> str:
    return f"  ({counted(count, 'memory')})" if of > 1 else ""
