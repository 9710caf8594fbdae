"""The dialog that goes through matches one by one, and replaces the accepted ones as one change (S-54)."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.memory.results import Change, ReplacePreview
from memtui.text import safe_text
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.replacing import wording
from memtui.tui.replacing.answers import Answers, count_by_store
from memtui.tui.replacing.hit_text import hit_text, question_text
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.workspace import Workspace

MANY = 10  # memories above which it is asked before they are changed
_WIDTH, _SHARE, _FRAME = 100, 0.96, 6  # cells of the dialog, its part of the screen, border and padding


class HitDialog(Dialog[Change | None]):
    """Closes with the change, None if nothing was accepted; answers write nothing until the last one."""

    BINDINGS = command_table.bindings(names.MATCHES)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-tall")]
    app: MemtuiApp

    def __init__(self, workspace: Workspace, found: ReplacePreview) -> None:
        super().__init__()
        self._workspace = workspace
        self._found = found
        self._answers = Answers(found.memories)
        self._is_asking = False  # the accepted matches are shown by store, to be confirmed
        self._leave_confirmed = False
        self._stop = threading.Event()  # ends the writing before the next store

    def compose(self) -> ComposeResult:
        with Vertical(id="hits", classes="dialog"):
            yield VerticalScroll(Static(id="hit-text"), id="hit", can_focus=False)
            yield Static(id="accepted")
            yield Static(id="skipped")
            yield Static(id="message")

    def on_mount(self) -> None:
        if skipped := self._found.skipped:
            reasons = Counter(each.reason for each in skipped).most_common()
            text = safe_text(wording.skipped(len(skipped), reasons), one_line=True, limit=200)
            self.query_one("#skipped", Static).update(Content(text))
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_unmount(self) -> None:
        self._stop.set()  # where the program ends meanwhile

    def _draw(self) -> None:
        """Show the match to be answered next, or what is about to be replaced."""
        box, answers = self.query_one("#hits"), self._answers
        current = None if self._is_asking else answers.current
        stores = count_by_store(answers.chosen())
        store_names = self.app.store_names
        title = wording.ASK_TITLE
        if current is not None:
            hidden = frozenset({"match.write"})
            title = wording.hit_title(answers.place + 1, answers.total, len(self._found.memories))
            width = min(_WIDTH, int(self.app.size.width * _SHARE)) - _FRAME
            memory, hit = current
            text = hit_text(memory, hit, memory.store, width)
            accepted = wording.NOTHING_YET
            if stores:
                places = [(store_names.get(store, store), count) for store, count, _ in stores]
                accepted = wording.accepted(sum(hits for *_, hits in stores), places)
            accepted = safe_text(accepted, one_line=True, limit=300) + f"\n{wording.WRITTEN_WHEN}"
        else:
            hidden = frozenset({"match.yes", "match.no", "match.all", "match.finish"})
            text = question_text(stores, answers.total, store_names, self.app.key("change.undo"))
            accepted = ""
        box.border_title = Content(title)
        box.border_subtitle = Content(command_table.dialog_keys(names.MATCHES, hidden))
        self.query_one("#hit-text", Static).update(text)
        self.query_one("#accepted", Static).update(Content(accepted))

    # Answers

    def action_yes(self) -> None:
        self._answer(yes=True)

    def action_no(self) -> None:
        self._answer(yes=False)

    def action_all(self) -> None:
        self._answer(yes=True, rest=True)

    def _answer(self, *, yes: bool, rest: bool = False) -> None:
        if not self._can_answer():
            return
        self._answers.answer(yes=yes, rest=rest)
        if self._answers.current is None:
            self._finish()
        else:
            self._draw()

    def _can_answer(self) -> bool:
        """Whether there is a match to be answered; if there is none, show what else the keys do."""
        if self.writing:
            return False
        self._leave_confirmed = False
        self.show_message(wording.ASKED if self._is_asking else "")
        return not self._is_asking

    def action_take_back(self) -> None:
        if self.writing:
            return
        self._leave_confirmed = False
        self.show_message("")
        was_asking, self._is_asking = self._is_asking, False
        if not (was_asking and self._answers.current) and not self._answers.take_back():
            self.show_message(wording.NO_ANSWER_YET)
        self._draw()

    def action_cancel(self) -> None:
        if self.writing:
            self._stop.set()
            self.show_message(wording.STOPPING_WRITE)
        elif self._answers.place and not self._leave_confirmed:
            self._leave_confirmed = True
            self.show_message(wording.LEAVE_AGAIN)
        else:
            self.dismiss(None)

    # Writing

    def action_finish(self) -> None:
        if self._can_answer():
            self._finish()

    def action_write(self) -> None:
        if self.writing:
            return
        if self._is_asking:
            self._write()
        else:
            self.show_message(wording.ANSWER_FIRST)

    def _finish(self) -> None:
        """Replace what is accepted; ask first if that is in many memories or in several stores."""
        stores = count_by_store(self._answers.chosen())
        if not stores:
            self.dismiss(None)
            return
        self._is_asking = True
        self._draw()
        if len(stores) == 1 and stores[0][1] <= MANY:
            self._write()

    def _write(self) -> None:
        chosen = self._answers.chosen()
        self._stop.clear()
        control = JobControl(stop=self._stop.is_set, report=self._report)
        self.show_message(wording.replacing(0, len(chosen)))
        write = partial(self._workspace.replace, chosen, self._found.skipped, control)
        self.run_write(wording.NOT_REPLACED, write)

    def _report(self, done: int, left: int) -> None:
        """Show how far the writing is; called in the thread that writes."""

        def show() -> None:
            if self.writing and not self._stop.is_set():
                self.show_message(wording.replacing(done, done + left))

        with suppress(RuntimeError):  # the app has ended
            self.app.call_later(show)
