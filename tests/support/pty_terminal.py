"""A pseudo-terminal for the real program: keys go in, all output is kept, and the screen is drawn from it."""

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

TIMEOUT = 60.0  # seconds; a busy machine is no failure
# What a full-screen program sends: CSI sequences, control strings, and two-character escapes.
SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78cM]", re.DOTALL
)
_MOVE = re.compile(r"\x1b\[(\d*);?(\d*)[Hf]")


class Terminal:
    """A program that runs in a terminal of `size` (columns, lines)."""

    def __init__(self, command: Sequence[str], size: tuple[int, int], env: dict[str, str]) -> None:
        self.size = size
        self.bytes = b""
        self.code: int | None = None
        self._is_open = True
        self._drawn = 0
        self._lines = [[" "] * size[0] for _ in range(size[1])]
        self._cursor = [0, 0]
        self._terminal_fd, program_fd = pty.openpty()
        fcntl.ioctl(program_fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.initial_modes = termios.tcgetattr(program_fd)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._terminal_fd)
            os.login_tty(program_fd)
            os.execvpe(command[0], list(command), {**env, "TERM": "xterm-256color"})
        self._program_fd = program_fd

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait_for_exit(reading=self._is_open)
        if self._is_open:
            os.close(self._terminal_fd)
        os.close(self._program_fd)

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._terminal_fd, keys.encode())

    def wait(self, for_: str | Callable[[str], object]) -> str:
        """Wait until the screen contains a text or meets a condition, and return it."""
        is_met = for_ if callable(for_) else lambda screen: for_ in screen
        deadline = time.monotonic() + TIMEOUT
        while not is_met(self.screen):
            assert time.monotonic() < deadline, f"waited for {for_}:\n{self.screen}"
            assert self._read() or not self._ended(), f"ended while waited for {for_}:\n{self.screen}"
        return self.screen

    def hang_up(self) -> None:
        """Close the terminal, as one that is closed by the user; nothing can be read or typed any more."""
        os.close(self._terminal_fd)
        self._is_open = False

    def wait_for_exit(self, *, reading: bool = True) -> int:
        """Wait for the program to end, with `reading` read all of its output, and return its exit code."""
        deadline = time.monotonic() + TIMEOUT
        while not self._ended():
            if reading:
                self._read()
            else:
                time.sleep(0.05)
            assert time.monotonic() < deadline, f"still runs:\n{self.screen}"
        while reading and self._read():
            pass
        assert self.code is not None
        return self.code

    @property
    def current_modes(self) -> list[object]:
        """The current modes of the terminal."""
        return termios.tcgetattr(self._program_fd)

    @property
    def screen(self) -> str:
        """The text on the screen."""
        text = self.bytes.decode("utf-8", "ignore")
        # An incomplete sequence at the end waits for the rest.
        cut = text.rfind("\x1b")
        complete = text[:cut] if cut >= 0 and not SEQUENCE.match(text, cut) else text
        self._draw(complete[self._drawn :])
        self._drawn = max(self._drawn, len(complete))
        return "\n".join("".join(line).rstrip() for line in self._lines)

    def _draw(self, text: str) -> None:
        end = 0
        for found in SEQUENCE.finditer(text):
            self._put(text[end : found.start()])
            end = found.end()
            if move := _MOVE.fullmatch(found[0]):
                self._cursor = [int(move[1] or 1) - 1, int(move[2] or 1) - 1]
            elif found[0] == "\x1b[2J":
                self._lines = [[" "] * self.size[0] for _ in range(self.size[1])]
        self._put(text[end:])

    def _put(self, text: str) -> None:
        for char in text:
            line, column = self._cursor
            if char == "\n":
                self._cursor[0] += 1
            elif char == "\r":
                self._cursor[1] = 0
            elif not combining(char) and line < self.size[1] and column < self.size[0]:
                self._lines[line][column] = char
                wide = east_asian_width(char) in "WF" and column + 1 < self.size[0]
                if wide:
                    self._lines[line][column + 1] = ""
                self._cursor[1] += 1 + wide

    def _read(self) -> bool:
        """Read output, waiting a moment for it; return whether there was any."""
        ready, _, _ = select.select([self._terminal_fd], [], [], 0.05)
        if not ready:
            return False
        try:
            data = os.read(self._terminal_fd, 65536)
        except OSError as error:
            if error.errno == errno.EIO:  # the program's side is closed
                return False
            raise
        self.bytes += data
        return bool(data)

    def _ended(self) -> bool:
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None
