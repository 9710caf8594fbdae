"""The dialog that asks what to find and replace, finds it, and goes through the matches (S-54)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.memory import replacement as replacements
from memtui.memory.replacement import FIELDS, Replacement
from memtui.memory.results import Change, ReplacePreview
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.messages import Opened
from memtui.tui.replacing import wording
from memtui.tui.replacing.hit_dialog import HitDialog
from memtui.tui.replacing.switches import SwitchList
from memtui.tui.workers.guarded import error_text
from memtui.tui.workers.wording import failed
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace


class FindDialog(Dialog[Change | None]):
    """Closes with the change, None if it was left; what was typed stays until then. `where` says which
    memories it searches."""

    BINDINGS = command_table.bindings(names.REPLACE)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, ids: Sequence[int], *, where: str, find: str) -> None:
        super().__init__()
        self._workspace = workspace
        self._ids = list(ids)
        self._where = where
        self._first = find
        self._stop: threading.Event | None = None  # ends the search that is under way

    def compose(self) -> ComposeResult:
        # A text that was searched for is found in any case, as the search found it.
        on = {*FIELDS, *(("ignore_case",) if self._first else ())}
        with Vertical(id="replace", classes="dialog"):
            for id, label, text in (
                ("find", wording.FIND, self._first),
                ("new", wording.REPLACEMENT, ""),
            ):
                with Horizontal(classes="field"):
                    yield Static(label, classes="name")
                    yield SafeInput(text, id=id, compact=True)
            yield SwitchList(on, id="switches")
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#replace")
        box.border_title = Content(wording.find_title(self._where))
        box.border_subtitle = Content(command_table.dialog_keys(names.REPLACE))
        self.switches = self.query_one(SwitchList)
        self.query_one("#find").focus()

    def on_unmount(self) -> None:
        self._stop_search()

    def _stop_search(self) -> bool:
        """Have the search end after the memory that it is in; return whether there was one."""
        stop, self._stop = self._stop, None
        if stop is not None:
            stop.set()
        return stop is not None

    # What to find

    def on_input_changed(self, event: Input.Changed) -> None:
        self._entered()

    def _entered(self) -> None:
        """Show what is wrong with what was entered, and end a search for something else."""
        stopped = wording.STOPPED if self._stop_search() else ""
        wanted = self._wanted()
        self.show_message((_fault_of(wanted) if wanted.find else "") or stopped)

    def _wanted(self) -> Replacement:
        find, new = (self.query_one(f"#{id}", SafeInput).value for id in ("find", "new"))
        return self.switches.replacement(find, new)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_find()

    def on_opened(self, message: Opened) -> None:
        self.action_turn()

    def action_turn(self) -> None:
        self.switches.toggle()
        self._entered()

    def action_regex(self) -> None:
        self.switches.toggle("regex")
        self._entered()

    # Finding it

    def action_find(self) -> None:
        if self._stop is not None:
            return
        wanted = self._wanted()
        if fault := _fault_of(wanted):
            self.show_message(fault)
            return
        self._stop = threading.Event()
        self.show_message(wording.searching(0, len(self._ids)))
        self._find(wanted, self._stop)

    @work(group="find")
    async def _find(self, wanted: Replacement, stop: threading.Event) -> None:
        control = JobControl(stop=stop.is_set, report=partial(self._report, stop))
        try:
            found = await self.app.lanes.read_raw(self._workspace.replace_preview, wanted, self._ids, control)
        except Exception as error:  # whatever it was, the dialog shows it and stays
            if not stop.is_set():
                self._stop = None
                self.show_message(_reason_of(error))
            return
        if not stop.is_set():
            self._stop = None
            self._show_found(wanted, found)

    def _report(self, stop: threading.Event, done: int, left: int) -> None:
        """Show how far the search is; called in the thread that searches."""

        def show() -> None:
            if self._stop is stop:
                self.show_message(wording.searching(done, done + left))

        with suppress(RuntimeError):  # the app has ended
            self.app.call_later(show)

    def _show_found(self, wanted: Replacement, found: ReplacePreview) -> None:
        if found.memories:
            self.show_message("")
            self.app.push_screen(HitDialog(self._workspace, found), self._replaced)
        elif found.skipped:
            (reason, _), *_ = Counter(each.reason for each in found.skipped).most_common(1)
            self.show_message(wording.none_changeable(len(found.skipped), reason))
        else:
            self.show_message(wording.no_match(len(self._ids), ignore_case=wanted.ignore_case))

    def _replaced(self, change: Change | None) -> None:
        if change is None:
            self.show_message(wording.NOTHING_ACCEPTED)
        else:
            self.dismiss(change)

    def action_cancel(self) -> None:
        if self._stop_search():
            self.show_message(wording.STOPPED)
        else:
            self.dismiss(None)


def _fault_of(wanted: Replacement) -> str:
    """Return why nothing can be found or replaced like that; "" if it can."""
    if not wanted.fields:
        return wording.NO_FIELD
    try:
        replacements.check(wanted)
    except Refused as refused:
        return _reason_of(refused)
    return ""


def _reason_of(error: Exception) -> str:
    """Return the reason alone: that nothing was replaced goes without saying here."""
    if isinstance(error, Refused):
        return wording.refused(error.reason, error.advice)
    return failed(wording.NOT_SEARCHED, error_text(error))
