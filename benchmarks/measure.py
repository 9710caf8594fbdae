"""Measuring side by side: what memtui takes, what the plainest way to the same takes, and the ratio."""

from __future__ import annotations

import errno
import fcntl
import os
import pty
import random
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from memtui.workspace.workspace import Workspace

ROOT = Path(__file__).parents[1]
NOW = 1_790_000_000.0


@dataclass(frozen=True, slots=True)
class Result:
    """One line: seconds on both sides; `aim` is the ratio that we want, 0 where there is none."""

    what: str
    ours: float
    plain: float
    aim: float = 0
    rate: str = ""  # of this machine: printed, not kept

    @property
    def ratio(self) -> float:
        """How many times as long as the plain way."""
        return self.ours / self.plain

    @property
    def verdict(self) -> str:
        """Whether the aim is reached."""
        return "" if not self.aim else "yes" if self.ratio <= self.aim else "no"

    def __str__(self) -> str:
        aim = f"  aim {self.aim:g}: {self.verdict}" if self.aim else ""
        what = f"{self.what} {self.rate}"
        return f"{what:<64} {self.ours * 1e3:9.2f} ms {self.plain * 1e3:9.2f} ms {self.ratio:6.2f}{aim}"


def percentile(times: Sequence[float], part: float) -> float:
    """The time that `part` of all stay below."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def timed(call: Callable[[], Any]) -> float:
    """Seconds that a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def beside(ours: Callable[[], Any], plain: Callable[[], Any], times: int) -> tuple[list[float], list[float]]:
    """Both ways in turn, so that a busy moment meets both."""
    pairs = [(timed(ours), timed(plain)) for _ in range(times)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


# -- data


_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnprstvwz"


def vocabulary(count: int, chance: random.Random) -> list[str]:
    """Made-up words that can be spoken, commonest first: short ones are common."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = 1 + sum(len(words) > part for part in (600, 6_000, 15_000))
        word = "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(syllables))
        words[word + chance.choice(("", *_CONSONANTS))] = None
    return list(words)


def sentences(count: int, seed: int = 7) -> list[str]:
    """Texts of 8 to 30 words whose words are as common as words are (Zipf)."""
    chance = random.Random(seed)
    words = vocabulary(20_000, chance)
    weights = [1 / (rank + 3) for rank in range(len(words))]
    total = [0.0]
    for weight in weights:
        total.append(total[-1] + weight)
    out = []
    for _ in range(count):
        said = chance.choices(words, cum_weights=total[1:], k=chance.randint(8, 30))
        out.append(" ".join(said).capitalize() + ".")
    return out


def native(folder: Path, count: int) -> Path:
    """A workspace with `count` memories in its own store, filled past the verbs."""
    path = folder / f"native-{count}.db"
    if path.exists():
        return path
    Workspace.open(path).close()
    connection = apsw.Connection(str(path))
    chance = random.Random(count)
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, category, content, tags, confidence, status, "
            "created_at, updated_at, times_used) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    f"u{number:011d}",
                    f"r{number}",
                    NOW,
                    chance.choice(("fact", "preference", "decision", "episode")),
                    text,
                    '["bench"]',
                    chance.random(),
                    "dismissed" if chance.random() < 0.05 else "confirmed",
                    NOW - number,
                    NOW - chance.random() * 1e7,
                    chance.randrange(50),
                )
                for number, text in enumerate(sentences(count))
            ),
        )
    connection.execute("ANALYZE")
    connection.close()
    return path


# -- programs


def environment() -> dict[str, str]:
    """As an installed memtui has it: compiled modules are kept."""
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def until(command: Sequence[str], marks: Sequence[bytes], patience: float = 30) -> list[float]:
    """Seconds from exec until each mark came out of a program in a terminal of 120×36."""
    hand, program = pty.openpty()
    fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.close(hand)
        os.login_tty(program)
        os.execvpe(command[0], list(command), environment())
    os.close(program)
    seen, out = {}, b""
    while len(seen) < len(marks):
        left = patience - (time.perf_counter() - start)
        ready, _, _ = select.select([hand], [], [], max(0, left))
        try:
            got = os.read(hand, 65536) if ready else b""
        except OSError as trouble:
            if trouble.errno != errno.EIO:
                raise
            got = b""
        if not got:
            os.kill(pid, signal.SIGKILL)
            raise SystemExit(f"{command} never showed {set(marks) - set(seen)}: {out[-500:]!r}")
        out += got
        now = time.perf_counter() - start
        for mark in marks:
            if mark in out:
                seen.setdefault(mark, now)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(hand)
    return [seen[mark] for mark in marks]


PYTHON = sys.executable
