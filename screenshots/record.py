"""Records the README's tour as an asciinema cast: python screenshots/record.py writes tour.cast.

The file can be played with `asciinema play screenshots/tour.cast`.
"""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

HERE = Path(__file__).parent
COLUMNS, LINES = 80, 24
END = 120.0  # seconds after which a recording is ended
# Keys, and the seconds to wait before each of them.
TOUR: list[tuple[str, float]] = [
    *[("j", 0.5)] * 4,
    ("/", 1.5),
    *[(letter, 0.09) for letter in "who must not eat nuts"],
    ("\r", 2.5),
    ("\x1b", 3.0),
    ("p", 1.5),
    ("u", 2.0),
    ("3", 2.0),
    ("a", 3.0),
    ("u", 3.0),
    ("4", 2.0),
    ("\r", 2.0),
    ("\x1b[C", 1.5),
    ("\r", 1.5),
    ("5", 2.5),
    ("]", 1.5),
    ("7", 2.0),
    ("V", 2.0),
    ("q", 3.0),
]


def record(target: Path) -> None:
    """Run the demo in a terminal, press the keys of the tour, and write what it prints with its times."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
        os.execv(sys.executable, [sys.executable, "-m", "memtui", "demo"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    decoder = codecs.getincrementaldecoder("utf-8")()
    started, events = time.monotonic(), []
    keys, due = list(TOUR), 0.0
    try:
        while (now := time.monotonic() - started) < END:
            if not due and events:
                due = now + 3.0  # the demo is being set up
            if keys and due and now >= due:
                os.write(terminal, keys.pop(0)[0].encode())
                due = now + (keys[0][1] if keys else END)
            if not select.select([terminal], [], [], 0.02)[0]:
                continue
            try:
                data = os.read(terminal, 1 << 16)
            except OSError:  # the program has ended
                break
            if not data:
                break
            events.append([round(now, 3), "o", decoder.decode(data)])
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    header = {"version": 2, "width": COLUMNS, "height": LINES, "title": "memtui: a five-minute tour"}
    lines = [header, *events]
    target.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", "utf-8")


if __name__ == "__main__":
    record(HERE / "tour.cast")
