"""The dialog that copies or moves memories into another store, with a preview of the result (S-8, S-82)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.memory import wording_dialogs as wording
from memtui.tui.memory.bulk.limits import FEW
from memtui.tui.memory.bulk.preview_text import preview_text as stores_text
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import counted, fit
from memtui.tui.text.text_layout import one_line, table
from memtui.tui.workers.guarded import worker
from memtui.workspace.changes.transferring.wording_transfer import left_behind

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

WIDTH = 76  # cells of the preview
MAX_PREVIEWED = 200  # memories
MAX_CHANGES = 8  # in the preview
MAX_KINDS = 3  # of changes of one field; of more, the first stands for all
_FIELD_NAMES = {
    "source_type": "source",
    "source_ref": "source",
    "pinned_by": "pinned",
    "pinned_why": "pinned",
}


class TargetList(VirtualList):
    """A line per store."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.stores: list[StoreInfo] = []
        self.empty_lines = [(wording.READING, "quiet")]

    @property
    def highlighted(self) -> StoreInfo | None:
        """The store under the cursor."""
        return self.stores[self.cursor] if self.cursor < len(self.stores) else None

    def show(self, stores: list[StoreInfo]) -> None:
        """Replace the stores."""
        self.stores = stores
        self.styles.height = max(2, min(8, len(stores)))
        self.refill(len(stores), 0, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        store = self.stores[index]
        name = max((len(each.name) for each in self.stores), default=0)
        state = "read-only" if store.read_only else counted(store.count, "memory")
        return [
            (" ", "plain"),
            (fit(one_line(store.name), min(name, max(1, width - 18))), "plain"),
            ("  ", "plain"),
            (fit(state, 15), "warn" if store.read_only else "quiet"),
        ]


@dataclass(frozen=True, slots=True)
class TransferJob:
    """A transfer of many memories that was asked for, to be run in the writing thread."""

    count: int
    move: bool
    run: Callable[[JobControl], TransferResult]


class TransferDialog(Dialog[TransferResult | TransferJob | None]):
    """Closes with the result, None if it was left; with the job if the memories are many, since that takes
    a while."""

    BINDINGS = command_table.bindings(names.TRANSFER)
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
        box.border_title = Content(wording.transfer_title(len(self._ids), move=self._move))
        box.border_subtitle = Content(wording.transfer_keys(move=self._move))
        self.targets = self.query_one(TargetList)
        self.targets.focus()
        self.load()

    @worker(wording.STORES_NOT_READ, group="targets")
    async def load(self) -> None:
        """List the possible targets: all stores but the one that holds all of the memories."""
        work = self._workspace
        infos, rows = await self.app.lanes.read(lambda: (work.stores(), work.rows(self._ids)))
        sources = {row.store for row in rows}
        stores = [info for info in infos if sources != {info.name}]
        self.targets.empty_lines = [
            (wording.NO_OTHER_STORE, "plain"),
            (wording.ATTACH_STORE, "quiet"),
        ]
        self.targets.show(stores)

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self.show_message("")
        self._show_preview()

    @worker(wording.PREVIEW_FAILED, group="preview")
    async def _show_preview(self) -> None:
        store, work = self.targets.highlighted, self._workspace
        preview = self.query_one("#preview", Static)
        if store is None:
            preview.update(Content(""))
            return
        try:
            read = partial(work.preview_transfer_stores, self._ids, store.name, move=self._move)
            stores = await self.app.lanes.read(read)
            few = self._ids[:MAX_PREVIEWED]
            previews = await self.app.lanes.read(work.preview_transfer, few, store.name)
        except Refused as refused:
            preview.update(Content(""))
            self.show_message(refused.message)
        else:
            text = preview_text(previews, store.read_only, len(self._ids))
            if not store.read_only and (len(self._ids) > FEW or len(stores) > 1):
                text = Content.assemble(stores_text(stores, self.app.store_names, WIDTH), "\n\n", text)
            preview.update(text)

    # Keys

    def action_up(self) -> None:
        self.targets.action_up()

    def action_down(self) -> None:
        self.targets.action_down()

    def on_opened(self, message: Opened) -> None:
        self.action_transfer()

    def action_transfer(self) -> None:
        store = self.targets.highlighted
        if store is None:
            self.show_message(wording.NO_STORE_TO_CHOOSE)
        elif not self.writing:
            transfer = self._workspace.move if self._move else self._workspace.copy
            if len(self._ids) > FEW and not store.read_only:
                run = partial(transfer, self._ids, store.name)
                self.dismiss(TransferJob(len(self._ids), self._move, run))
            else:
                self.show_message(wording.transferring(move=self._move))
                self.run_write(wording.NOT_ALL_TRANSFERRED, partial(transfer, self._ids, store.name))

    def action_cancel(self) -> None:
        if self.writing:
            self.show_message(wording.TRANSFER_UNDER_WAY)
        else:
            self.dismiss(None)


def preview_text(previews: Sequence[TransferPreview], read_only: str, total: int) -> Content:
    """Return what would change, what only memtui would keep, and what would be lost.

    `read_only` is why the store cannot be written, "" if it can; `total` counts the memories to transfer.
    """
    if read_only:
        return Content.assemble((wording.READ_ONLY, "$warning"), (one_line(read_only), ""))
    changed = _changes(previews)
    kept = Counter(_FIELD_NAMES.get(name, name) for each in previews for name in dict.fromkeys(each.kept))
    lost = _lost(previews)
    rows = [
        (_field_name(name), wording.in_memories(change, count) if total > 1 else change)
        for (name, change), count in changed.most_common(MAX_CHANGES)
    ]
    if len(changed) > MAX_CHANGES:
        rows.append(("", wording.more_changes(len(changed) - MAX_CHANGES)))
    if kept:
        rows.append((wording.KEPT_IN_MEMTUI, ", ".join(map(_field_name, kept))))
    if lost:
        rows.append((wording.NOT_TRANSFERRED, ", ".join(lost)))
    if not rows:
        return Content(wording.HOLDS_EVERYTHING)
    if total > len(previews):
        rows.append(("", wording.previewed(len(previews))))
    return Content.assemble(*table(wording.DIFFERENCES, rows, WIDTH)[1:-1])


def transfer_report(done: TransferResult) -> str:
    """Return what became of the memories' fields, for the status line."""
    changed = dict.fromkeys(name for each in done.previews for name in each.changed)
    kept = dict.fromkeys(_FIELD_NAMES.get(name, name) for each in done.previews for name in each.kept)
    changed_names, kept_names = ([_field_name(name) for name in each] for each in (changed, kept))
    return wording.transfer_report(changed_names, kept_names, _lost(done.previews))


def _changes(previews: Sequence[TransferPreview]) -> Counter[tuple[str, str]]:
    """Return how many memories have each change of a field; one that differs from memory to memory is
    counted once, by its field."""
    by_field: dict[str, Counter[str]] = {}
    for each in previews:
        for name, (before, after) in each.changed.items():
            change = wording.value_change(_value(name, before), _value(name, after))
            by_field.setdefault(name, Counter())[change] += 1
    found: Counter[tuple[str, str]] = Counter()
    for name, changes in by_field.items():
        if len(changes) > MAX_KINDS:
            found[name, wording.and_so_on(next(iter(changes)))] = changes.total()
        else:
            found.update({(name, change): count for change, count in changes.items()})
    return found


def _lost(previews: Sequence[TransferPreview]) -> list[str]:
    """Return the fields that stay behind, and how much else in all."""
    left: Counter[str] = Counter()
    for each in previews:
        left.update(each.left)
    fields = dict.fromkeys(_field_name(name) for each in previews for name in each.lost)
    return [*fields, *left_behind(left)]


def _field_name(name: str) -> str:
    return one_line(name, 60).replace("_", " ")


def _value(name: str, value: object) -> str:
    if value is None or value == ():
        return "(empty)"
    if name in TIMES and isinstance(value, (int, float)):
        return str(iso(value))
    return one_line(", ".join(map(str, value)) if isinstance(value, tuple) else str(plain(value)), 60)
