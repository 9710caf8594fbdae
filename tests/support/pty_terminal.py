"""A terminal for the real program: keys in, every byte out kept, and what would stand on the screen."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from unicodedata import combining, east_asian_width

PATIENCE = 60.0  # seconds; a busy machine is no failure
# What a full-screen program sends: CSI sequences, strings, and two-character escapes.
SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cM]", re.DOTALL
)
_MOVE = re.compile(r"\x1b\[(\d*);?(\d*)[Hf]")


class Terminal:
    """One run of a program in a terminal of `size` (columns, lines)."""

    def __init__(self, command: Sequence[str], size: tuple[int, int], env: dict[str, str]) -> None:
        self.size = size
        self.bytes = b""
        self.code: int | None = None
        self._drawn = 0
        self._lines = [[" "] * size[0] for _ in range(size[1])]
        self._at = [0, 0]
        self._hand, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.modes = termios.tcgetattr(program)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._hand)
            os.login_tty(program)
            os.execvpe(command[0], list(command), {**env, "TERM": "xterm-256color"})
        self._program = program

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.end()
        os.close(self._hand)
        os.close(self._program)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._hand, keys.encode())

    def wait(self, for_: str | Callable[[str], object]) -> str:
        """The screen, once it shows what is waited for."""
        wanted = for_ if callable(for_) else lambda screen: for_ in screen
        deadline = time.monotonic() + PATIENCE
        while not wanted(self.screen):
            assert time.monotonic() < deadline, f"waited for {for_}:\n{self.screen}"
            assert self._read() or not self._ended(), f"ended while waited for {for_}:\n{self.screen}"
        return self.screen

    def end(self) -> int:
        """The exit code, once it is there; all its bytes have been read."""
        deadline = time.monotonic() + PATIENCE
        while not self._ended():
            self._read()
            assert time.monotonic() < deadline, f"still runs:\n{self.screen}"
        while self._read():
            pass
        assert self.code is not None
        return self.code

    @property
    def now(self) -> list[object]:
        """The modes of the terminal as they are now."""
        return termios.tcgetattr(self._program)

    @property
    def screen(self) -> str:
        """What would stand on the screen."""
        text = self.bytes.decode("utf-8", "ignore")
        # Half a sequence at the end waits for the rest.
        cut = text.rfind("\x1b")
        whole = text[:cut] if cut >= 0 and not SEQUENCE.match(text, cut) else text
        self._draw(whole[self._drawn :])
        self._drawn = max(self._drawn, len(whole))
        return "\n".join("".join(line).rstrip() for line in self._lines)

    def _draw(self, text: str) -> None:
        place = 0
        for found in SEQUENCE.finditer(text):
            self._put(text[place : found.start()])
            place = found.end()
            if move := _MOVE.fullmatch(found[0]):
                self._at = [int(move[1] or 1) - 1, int(move[2] or 1) - 1]
            elif found[0] == "\x1b[2J":
                self._lines = [[" "] * self.size[0] for _ in range(self.size[1])]
        self._put(text[place:])

    def _put(self, text: str) -> None:
        for char in text:
            line, column = self._at
            if char == "\n":
                self._at[0] += 1
            elif char == "\r":
                self._at[1] = 0
            elif not combining(char) and line < self.size[1] and column < self.size[0]:
                self._lines[line][column] = char
                wide = east_asian_width(char) in "WF" and column + 1 < self.size[0]
                if wide:
                    self._lines[line][column + 1] = ""
                self._at[1] += 1 + wide

    def _read(self) -> bool:
        """Take what is there, or wait a moment; whether anything came."""
        ready, _, _ = select.select([self._hand], [], [], 0.05)
        if not ready:
            return False
        try:
            got = os.read(self._hand, 65536)
        except OSError as trouble:
            if trouble.errno == errno.EIO:  # nobody holds the other side any more
                return False
            raise
        self.bytes += got
        return bool(got)

    def _ended(self) -> bool:
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None
