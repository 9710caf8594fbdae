"""Edit a text in the user's own editor, in a private file of a private folder that is removed afterwards."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from textual.app import App, SuspendNotSupported

from memtui.errors import Refused
from memtui.tui.terminal import wording

T = TypeVar("T")


def editor_command(setting: str = "") -> list[str]:
    """Return the command of the setting, else $VISUAL, else $EDITOR, else vi.

    Raise Refused if it is no shell words."""
    candidates = (setting, os.environ.get("VISUAL"), os.environ.get("EDITOR"))
    command = next((each for each in candidates if each), "vi")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise wording.editor_setting_unreadable(command, str(error)) from None
    return words or ["vi"]


def edit_text(command: list[str], text: str) -> str:
    """Return `text` as the editor left it. Raise Refused if the editor is missing or fails.

    A line break that the editor appends to the last line is not taken as a change.
    """
    folder = Path(tempfile.mkdtemp(prefix="memtui-"))  # 0700
    try:
        file = folder / "memory.md"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            written.write(text.encode("utf-8"))
        _run([*command, str(file)])
        try:
            # Read by path: some editors replace the file.
            after = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise wording.not_utf8() from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not text.endswith("\n") and after.endswith("\n"):
        after = after[:-2] if after.endswith("\r\n") and "\r\n" in text else after[:-1]
    return after


def edit_in_terminal(app: App[T], setting: str, text: str) -> str:
    """Give the terminal to the editor until it ends, and return the text as it left it. Raise Refused."""
    command = editor_command(setting)
    refusal: Refused | None = None
    after = text
    try:
        # Nothing may be raised inside: the screen would not be restored.
        with app.suspend():
            try:
                after = edit_text(command, text)
            except Refused as refused:
                refusal = refused
            except OSError as error:
                refusal = wording.editor_unusable(error.strerror)
    except SuspendNotSupported:
        raise wording.no_editor_here() from None
    if refusal is not None:
        raise refusal
    return after


def _run(command: list[str]) -> None:
    name = command[0]
    try:
        with _ignoring_ctrl_c():
            code = subprocess.run(command, check=False).returncode
    except FileNotFoundError:
        raise wording.editor_not_found(name) from None
    except OSError as error:
        raise wording.editor_not_started(name, error.strerror) from None
    if code:
        raise wording.editor_failed(Path(name).name, code)


@contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Ignore ctrl+c, which the terminal sends to the editor too.

    With a handler, since SIG_IGN would be inherited by the editor."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
