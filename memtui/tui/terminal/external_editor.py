"""A text in the person's own editor: a private file in a private folder, and nothing left behind."""

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
from typing import Any

from textual.app import App, SuspendNotSupported

from memtui.errors import Refused

NOTHING = "Nothing was changed."


def editor_command(setting: str = "") -> list[str]:
    """The setting, else $VISUAL, else $EDITOR, else vi; Refused if it cannot be read."""
    line = next(
        (each for each in (setting, os.environ.get("VISUAL"), os.environ.get("EDITOR")) if each), "vi"
    )
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise Refused("editor", f"The editor “{line}” cannot be read: {error}. {NOTHING}") from None
    return words or ["vi"]


def edited(command: list[str], text: str) -> str:
    """The text as the editor left it; Refused if the editor is missing or failed.

    The line break that most editors put behind the last line is no change.
    """
    folder = Path(tempfile.mkdtemp(prefix="memtui-"))  # 0700
    try:
        file = folder / "memory.md"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            written.write(text.encode("utf-8"))
        _run([*command, str(file)])
        try:
            # Some editors put another file in its place.
            after = file.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            raise Refused("editor", f"The editor left no text in UTF-8. {NOTHING}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if not text.endswith("\n") and after.endswith("\n"):
        after = after[:-2] if after.endswith("\r\n") and "\r\n" in text else after[:-1]
    return after


def in_editor(app: App[Any], setting: str, text: str) -> str:
    """The text as the person's editor left it; the terminal is given away until the editor ends."""
    command = editor_command(setting)
    refused: Refused | None = None
    after = text
    try:
        # Nothing may be raised inside: the screen would never come back.
        with app.suspend():
            try:
                after = edited(command, text)
            except Refused as refusal:
                refused = refusal
            except OSError as trouble:
                refused = Refused("editor", f"The editor could not be used: {trouble.strerror}.")
    except SuspendNotSupported:
        raise Refused("editor", "No editor can be opened here.") from None
    if refused is not None:
        raise refused
    return after


def _run(command: list[str]) -> None:
    name = command[0]
    try:
        with _ctrl_c_is_the_editors():
            code = subprocess.run(command, check=False).returncode
    except FileNotFoundError:
        raise Refused(
            "editor",
            f"The editor “{name}” was not found. {NOTHING}",
            "Set editor in the settings, or $EDITOR.",
        ) from None
    except OSError as error:
        raise Refused("editor", f"“{name}” could not be started: {error.strerror}. {NOTHING}") from None
    if code:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        raise Refused("editor", f"“{Path(name).name}” {how}. {NOTHING}")


@contextmanager
def _ctrl_c_is_the_editors() -> Iterator[None]:
    """The terminal sends ctrl+c to both; a handler, since to ignore it would be handed down."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
