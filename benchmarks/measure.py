"""Side-by-side measurements: the time that memtui takes, that of a baseline, and their ratio."""

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
    """One measurement: seconds of memtui and of the baseline; `target` is the ratio to reach, 0 if there is
    none."""

    name: str
    memtui: float
    baseline: float
    target: float = 0
    rate: str = ""  # depends on the machine, so it is printed but not written

    @property
    def ratio(self) -> float:
        """How many times as long as the baseline memtui takes."""
        return self.memtui / self.baseline

    @property
    def verdict(self) -> str:
        """Whether the target is reached."""
        return "" if not self.target else "yes" if self.ratio <= self.target else "no"

    def __str__(self) -> str:
        target = f"  aim {self.target:g}: {self.verdict}" if self.target else ""
        name = f"{self.name} {self.rate}"
        return (
            f"{name:<64} {self.memtui * 1e3:9.2f} ms {self.baseline * 1e3:9.2f} ms {self.ratio:6.2f}{target}"
        )


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that a share of all stay below."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def timed(call: Callable[[], Any]) -> float:
    """Return the seconds that a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def alternate(
    memtui: Callable[[], Any], baseline: Callable[[], Any], times: int
) -> tuple[list[float], list[float]]:
    """Time both calls alternately, so that a busy moment affects both."""
    pairs = [(timed(memtui), timed(baseline)) for _ in range(times)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


# -- data


_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnprstvwz"


def vocabulary(count: int, chance: random.Random) -> list[str]:
    """Make up pronounceable words, the most common first; short ones are common."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = 1 + sum(len(words) > share for share in (600, 6_000, 15_000))
        word = "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(syllables))
        words[word + chance.choice(("", *_CONSONANTS))] = None
    return list(words)


def sentences(count: int, seed: int = 7) -> list[str]:
    """Make up texts of 8 to 30 words with natural word frequencies (Zipf)."""
    chance = random.Random(seed)
    words = vocabulary(20_000, chance)
    weights = [1 / (rank + 3) for rank in range(len(words))]
    total = [0.0]
    for weight in weights:
        total.append(total[-1] + weight)
    out = []
    for _ in range(count):
        chosen = chance.choices(words, cum_weights=total[1:], k=chance.randint(8, 30))
        out.append(" ".join(chosen).capitalize() + ".")
    return out


def native(folder: Path, count: int) -> Path:
    """Make a workspace with `count` memories in the native store, inserted by SQL."""
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
    """Return the environment of an installed memtui, which keeps compiled modules."""
    env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


def time_to_output(command: Sequence[str], marks: Sequence[bytes], timeout: float = 30) -> list[float]:
    """Return the seconds from exec until a program in a terminal of 120×36 has printed each mark."""
    terminal, program = pty.openpty()
    fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.close(terminal)
        os.login_tty(program)
        os.execvpe(command[0], list(command), environment())
    os.close(program)
    seen, out = {}, b""
    while len(seen) < len(marks):
        remaining = timeout - (time.perf_counter() - start)
        ready, _, _ = select.select([terminal], [], [], max(0, remaining))
        try:
            data = os.read(terminal, 65536) if ready else b""
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            os.kill(pid, signal.SIGKILL)
            raise SystemExit(f"{command} never showed {set(marks) - set(seen)}: {out[-500:]!r}")
        out += data
        now = time.perf_counter() - start
        for mark in marks:
            if mark in out:
                seen.setdefault(mark, now)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    return [seen[mark] for mark in marks]


PYTHON = sys.executable
