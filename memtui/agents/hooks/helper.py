"""The helper of a workspace: it answers `memtui hook` while an agent works, since loading memtui takes longer
than a hook may.

It is started by the first hook, whose request is its standard input, and ends when nobody asked for ten
minutes, or when the workspace, the settings or memtui itself are others. No other process needs it: who finds
none starts one. Of two that start at once, the second hands its request to the first and ends.
"""

from __future__ import annotations

import fcntl
import os
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memtui import __version__
from memtui.agents.hooks import handing, place
from memtui.agents.hooks.requests import UNAVAILABLE, unpacked

if TYPE_CHECKING:
    from memtui.agents.hooks.answering import Answering
    from memtui.workspace.workspace import Workspace

IDLE = 600.0  # seconds without a request after which it ends
_LOOK = 20.0  # seconds between two looks whether the workspace is still there
_QUIET = 0.3  # seconds without a request before stores are read again
_FRESH = 5.0  # seconds for which what was read of the stores will do
_PATIENCE = 2.0  # seconds that a request may take to arrive, and an answer to leave
_STARTING, _AGAIN = 5.0, 0.02  # seconds that another helper has to listen; until it is asked again
_WAITING = 64  # requests


class Helper:
    """Serves the workspace at a path, opened as the settings file says, from a folder, which has to be the
    current one of this process."""

    def __init__(
        self, workspace: Path, settings: Path, folder: Path, opening: Callable[[], Workspace]
    ) -> None:
        self.folder = folder
        self._files = workspace, settings
        self._identity = _identity(*self._files)
        self._opening = opening
        self._answering: Answering | None = None
        self._asked, self._pulled = time.monotonic(), 0.0
        self._lock = -1

    def run(self) -> None:
        """Answer the request on standard input, then those of others; or have another helper answer it."""
        with open(0, "rb", closefd=False) as file:
            request = file.read()
        listener = self._listen()  # before anything is loaded: others find it, and wait
        deadline = time.monotonic() + _STARTING
        while listener is None and time.monotonic() < deadline:
            if handing.handed_over(request):
                return
            time.sleep(_AGAIN)  # it has not come to listening yet, or has ended
            listener = self._listen()
        self._first(request)
        if listener is not None:
            with listener:
                self._serve(listener)
        if self._answering is not None:
            self._answering.opened.close()

    def _listen(self) -> socket.socket | None:
        """Return the socket on which others ask; None if another helper has it."""
        lock = os.open(place.LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return None
        self._lock = lock
        with suppress(FileNotFoundError):
            os.unlink(place.SOCKET)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(place.SOCKET)
        os.chmod(place.SOCKET, 0o600)
        listener.listen(_WAITING)
        return listener

    def _first(self, request: bytes) -> None:
        with suppress(ValueError):
            self._answer(
                *unpacked(request),
                lambda: not handing.is_closed(1),
                handing.print_and_end,
                handing.print_accepted,
            )
        handing.print_and_end(b"")

    def _serve(self, listener: socket.socket) -> None:
        while _identity(*self._files) == self._identity and time.monotonic() < self._asked + IDLE:
            is_stale = self._asked > self._pulled
            if select.select([listener], [], [], _QUIET if is_stale else _LOOK)[0]:
                connection, _ = listener.accept()
                with connection:
                    self._asked = time.monotonic()
                    if not self._one(connection):
                        return
            elif is_stale and time.monotonic() > self._pulled + _FRESH:
                self._get_ready()
        self._leave()

    def _one(self, connection: socket.socket) -> bool:
        """Answer one request; return whether this helper can answer others."""
        connection.settimeout(_PATIENCE)
        try:
            request = unpacked(handing.received(connection))
            if request[0][0] != __version__ or _identity(*self._files) != self._identity:
                self._leave()
                return False
            self._answer(
                *request,
                lambda: not handing.is_closed(connection.fileno()),
                lambda answer: handing.send_and_end(connection, answer),
                lambda: handing.send_accepted(connection),
            )
        except (OSError, ValueError):
            pass  # who asked is gone, or no hook of ours
        return True

    def _answer(
        self,
        texts: list[str],
        given: bytes,
        is_waiting: Callable[[], bool],
        reply: Callable[[bytes], None],
        accept: Callable[[], None],
    ) -> None:
        if self._answering is None:
            from memtui.agents.hooks.answering import Answering

            try:
                self._answering = Answering(self._opening(), self.folder)
            except Exception:  # the workspace is locked, damaged, or another version's
                if os.environ.get("MEMTUI_DEBUG"):
                    raise
                reply(UNAVAILABLE)
                return
        self._answering.answer(texts, given, is_waiting, reply, accept)

    def _get_ready(self) -> None:
        """Read what other programs wrote, and load what the next request may need."""
        if self._answering is not None:
            with suppress(Exception):  # what was read before will do
                self._answering.opened.pull()
            self._answering.warm_up()
        self._pulled = time.monotonic()

    def _leave(self) -> None:
        """Give way to the next helper."""
        with suppress(OSError):
            os.unlink(place.SOCKET)
        os.close(self._lock)


def _identity(workspace: Path, settings: Path) -> tuple[int, ...]:
    """Return what is the same as long as the workspace is the same file, and the settings say the same."""
    parts: list[int] = []
    with suppress(OSError):
        found = os.stat(workspace)
        parts += found.st_dev, found.st_ino
    with suppress(OSError):
        parts.append(os.stat(settings).st_mtime_ns)
    return tuple(parts)
