"""A real bash in a pseudo-terminal, in which keys are pressed."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import time
from collections.abc import Mapping
from pathlib import Path

_SHOW = r"""bind -x '"\C-x\C-p": printf "\n<<""<%s>>>\n" "$READLINE_LINE"'; """
_SHOWN = re.compile(r"<<<(.*)>>>")


class TypingShell:
    """An interactive bash that has read a script."""

    def __init__(self, script: Path, environment: Mapping[str, str]) -> None:
        self._pid, self._terminal = pty.fork()
        if not self._pid:
            os.environ.update(environment)
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self._press(f"PS1= PS2=; bind 'set bell-style none'; {_SHOW} source {shlex.quote(str(script))}\n")
        self.line("")

    def run(self, command: str) -> None:
        """Run a command."""
        self._press(f"{command}\n")

    def line(self, keys: str) -> str:
        """Return the line after some keys."""
        self._press(f"\x15{keys}\x18\x10")
        seen = ""
        until = time.monotonic() + 30
        while not (found := _SHOWN.search(seen)):
            assert select.select([self._terminal], [], [], until - time.monotonic())[0], seen
            seen += os.read(self._terminal, 65_536).decode()
        self._press("\x15")
        return found[1]

    def tab(self, words: str) -> str:
        """Return the line after a Tab."""
        return self.line(f"{words}\t")

    def offered(self, words: str) -> list[str]:
        """Return all that could stand for the last word of a line."""
        before = shlex.split(f"{words}x")[:-1]
        found = shlex.split(self.line(f"{words}\x1b*"))[len(before) :]
        return [] if found == [words.split(" ")[-1]] else found

    def close(self) -> None:
        """End the shell."""
        os.close(self._terminal)
        os.waitpid(self._pid, 0)

    def _press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())
