"""The dialog that asks where an export is written, and writes it: a file, or a new store (S-70, S-73)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import Refused
from memtui.export.file_output import write_new
from memtui.export.new_store import NewStore, write_store
from memtui.export.pack import Pack
from memtui.export.wording import HOLDS_SECRET
from memtui.paths import refuse_url
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.dialog import Dialog
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.exporting import wording
from memtui.tui.exporting.packing import Kind
from memtui.tui.workers.guarded import error_text
from memtui.tui.workers.wording import failed
from memtui.workspace.background import JobControl

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

_DEFAULT = "~/memtui-export"
EXISTS = "exists"


class TargetDialog(Dialog[tuple[str, str] | None]):
    """Closes with what was written and a hint, None if it was left; a refusal leaves the path as it is. What
    exists is replaced only if ⏎ is pressed again, and a store never."""

    BINDINGS = command_table.bindings(names.EXPORT_TO)

    def __init__(self, pack: Pack, kind: Kind, workspace: Workspace) -> None:
        super().__init__()
        self._pack, self._kind, self._workspace = pack, kind, workspace
        self._replaced = ""  # the path of a file that the next ⏎ replaces
        self._stop = threading.Event()  # ends the store that is being written

    def compose(self) -> ComposeResult:
        with Vertical(id="export-to", classes="dialog"):
            yield SafeInput(f"{_DEFAULT}{self._kind.suffix}", id="path", compact=True)
            yield Static(id="message")

    def on_mount(self) -> None:
        box = self.query_one("#export-to")
        is_store = self._kind.store is not None
        title = wording.store_title(self._kind.title) if is_store else wording.FILE_TITLE
        box.border_title = Content(title)
        box.border_subtitle = Content(command_table.dialog_keys(names.EXPORT_TO))
        self.show_message(self._note)
        self.query_one("#path").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._replaced = ""
        if not self.writing:
            self.show_message(self._note)

    @property
    def _note(self) -> str:
        return "" if self._kind.store is not None else wording.ONLY_YOU

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_write()

    def action_write(self) -> None:
        text = self.query_one("#path", SafeInput).value.strip()
        if self.writing:
            return
        if not text:
            self.show_message(wording.TYPE_A_PATH)
            return
        self.writing, self._stop = True, threading.Event()
        self._close_when_written(text, self.app.lanes.write(self._action(text)))

    def _action(self, text: str) -> Callable[[], tuple[str, str]]:
        memories = len(self._pack.included)
        if self._kind.store is None:
            replace = self._replaced == text
            return partial(_write_text, self._workspace, text, self._pack, memories, replace=replace)
        control = JobControl(stop=self._stop.is_set, report=partial(self._report, self._stop))
        return partial(_write_store, text, self._kind, self._pack, self._workspace, control)

    def _report(self, stop: threading.Event, done: int, left: int) -> None:
        """Show how far the store is; called in the thread that writes it."""

        def show() -> None:
            if self.writing and not stop.is_set():
                self.show_message(wording.writing(done, done + left))

        with suppress(RuntimeError):  # the app has ended
            self.app.call_later(show)

    @work(group="write", exclusive=False)
    async def _close_when_written(self, text: str, writing: Awaitable[tuple[str, str]]) -> None:
        try:
            done = await writing
        except Refused as refused:
            is_file = self._kind.store is None and refused.code == EXISTS
            self._replaced = text if is_file else ""
            path = Path(text).expanduser() if is_file else Path()
            self.show_message(wording.exists(path) if is_file else _reason_of(refused))
        except Exception as error:  # whatever it was, the dialog shows it and stays
            self.show_message(failed(wording.NOT_WRITTEN, error_text(error)))
        else:
            self.dismiss(done)
        finally:
            self.writing = False

    def action_cancel(self) -> None:
        if not self.writing:
            self.dismiss(None)
        elif self._kind.store is not None:
            self._stop.set()
            self.show_message(wording.STOPPING)


def _path_of(text: str) -> Path:
    """Return a typed path, with ~ expanded; raise Refused for a URL or an unknown user's home."""
    refuse_url(text)
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise Refused("no-user", wording.unknown_user(text)) from None


def _write_text(
    workspace: Workspace, text: str, pack: Pack, memories: int, *, replace: bool
) -> tuple[str, str]:
    path = _path_of(text)
    if path.is_dir():
        raise Refused("is-folder", wording.is_folder(path))
    workspace.require_outside_stores(path)
    write_new(path, pack.text, replace=replace)
    return wording.written(memories, pack.tokens, pack.unit, path), wording.secrets_in(len(pack.secrets))


def _write_store(
    text: str, kind: Kind, pack: Pack, workspace: Workspace, control: JobControl
) -> tuple[str, str]:
    assert kind.store is not None
    path = _path_of(text)
    workspace.require_outside_stores(path)
    ids = workspace.ids_of([each.uid for each in pack.included])
    memories, withheld = workspace.memories_without_secrets(ids)
    made = write_store(
        kind.store, path, memories, workspace.seen_at(ids), workspace.relations_among(ids),
        inside=text.endswith("/"), control=control,
    )  # fmt: skip
    made = replace(made, refused=made.refused | dict.fromkeys(withheld, HOLDS_SECRET))
    return wording.store_made(len(made.written), kind.title, made.root), _missing(made)


def _missing(made: NewStore) -> str:
    """Return what the store does not hold as it was, "" for nothing."""
    sentences = []
    if made.refused:
        (reason, _), *_ = Counter(made.refused.values()).most_common(1)
        sentences.append(wording.not_stored(len(made.refused), reason))
    if made.lost or made.relations_lost:
        sentences.append(wording.lost(made.lost, made.relations_lost))
    if made.changed:
        sentences.append(wording.changed(made.changed))
    return " ".join(sentences)


def _reason_of(refused: Refused) -> str:
    return wording.refused(refused.reason, refused.advice)
