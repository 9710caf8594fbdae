"""From key to repaint while two agents write, compared with rest; and no write is lost.

The real program in a terminal of 120×36, with three attached stores: a database, a folder of Markdown and a
JSONL file. Keys move the cursor, edit, pin and undo. Two agent processes write 20 changes a second each for
ten seconds, and pause as long, in turn, so that a machine that gets slower or faster does not matter.
Measured are the cursor moves, from the key to the first byte that it draws.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.live.agents import lost_writes, make_stores, start_agent
from benchmarks.measure import PYTHON, Result, environment, percentile
from memtui.workspace.workspace import Workspace

RATE = 20.0
TIMEOUT = 5.0  # seconds for one key
PERIOD = 10.0  # seconds for which agents write, and then pause


def measure(folder: Path, seconds: int, count: int = 400) -> list[Result]:
    """Measure p50 and p95 of a move. Raise SystemExit if a write of memtui or an agent was lost."""
    paths = make_stores(folder / "live", count)
    path = folder / "live.db"
    workspace = Workspace.open(path)
    for store in paths:
        workspace.attach(store)
    workspace.close()
    with run_memtui(path) as (terminal, _):
        period = min(PERIOD, seconds)
        start_time = time.monotonic() + 1.0
        changes = int(seconds * RATE)
        agents = [
            start_agent(folder / "live", f"agent{n}", changes, RATE, start_time, period) for n in (1, 2)
        ]
        busy: list[float] = []
        idle: list[float] = []
        for turn in range(2 * max(1, round(seconds / period))):
            time.sleep(max(0.0, start_time + turn * period - time.monotonic()))
            (idle if turn % 2 else busy).extend(time_moves(terminal, period, with_changes=True))
        written = [json.loads(agent.communicate(timeout=120)[0]) for agent in agents]
        os.write(terminal, b"\x1b\x1b")
    lost = [each for agent in written for each in lost_writes(folder / "live", agent)]
    lost += user_changes_lost(path)
    if lost:
        raise SystemExit(f"lost: {lost[:10]}")
    what = "key to repaint while two agents write, vs quiet"
    return [
        Result(f"{what}, p50", percentile(busy, 0.5), percentile(idle, 0.5)),
        Result(f"{what}, p95", percentile(busy, 0.95), percentile(idle, 0.95), 1.5),
    ]


def user_changes_lost(path: Path) -> list[str]:
    """Return changes that the journal calls done but the memories lack, and refusals without a reason."""
    workspace = Workspace.open(path)
    workspace.pull()
    own = [event for event in workspace.journal(100_000) if event.actor == "person"]
    lost = [f"{e.summary}: {e.state} without a reason" for e in own if e.state != "done" and not (
        e.reason or e.state == "undone")]  # fmt: skip
    done = sum(event.state in ("done", "undone") for event in own)
    edits = [event for event in own if event.kind == "edited" and event.state == "done"]
    for event in edits:
        (item,) = workspace.journal_items(event.id)
        (memory,) = workspace.memories([workspace.find(item.uid)])
        if item.after is None or not memory.content.startswith(item.after["content"].split()[0]):
            lost.append(f"edit of {item.uid}")
    print(f"  {len(own)} changes by the user, {done} done, {len(edits)} edits not undone", flush=True)
    workspace.close()
    return lost


@contextmanager
def run_memtui(path: Path) -> Iterator[tuple[int, int]]:
    """Run the program on a workspace; yield its terminal, to write keys to, and its process id."""
    terminal, run_memtui = pty.openpty()
    fcntl.ioctl(run_memtui, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    pid = os.fork()
    if pid == 0:
        os.close(terminal)
        os.login_tty(run_memtui)
        command = [PYTHON, "-m", "memtui", "--workspace", str(path)]
        os.execvpe(command[0], command, environment())
    os.close(run_memtui)
    try:
        select.select([terminal], [], [], 30)
        time.sleep(2)
        _drain(terminal, 3.0)
        yield terminal, pid
        os.write(terminal, b"q")
        _drain(terminal, 0.5)
    finally:
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            if os.waitpid(pid, os.WNOHANG)[0]:
                break
            time.sleep(0.05)
        else:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(terminal)


def _drain(terminal: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and select.select([terminal], [], [], 0.3)[0]:
        if not _read(terminal):
            return


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""


def time_moves(terminal: int, seconds: float, *, with_changes: bool = False) -> list[float]:
    """Return how long each move took; with `with_changes`, other keys change memories in between."""
    times: list[float] = []
    end = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < end:
        for key in (b"j",) * 12 + (b"k",) * 10:
            if time.monotonic() >= end:
                return times
            _drain_quiet(terminal, 0.015)
            start_time = time.perf_counter()
            os.write(terminal, key)
            ready, _, _ = select.select([terminal], [], [], TIMEOUT)
            if not ready:
                raise SystemExit("a key got no answer")
            times.append(time.perf_counter() - start_time)
            time.sleep(0.02)
        if not with_changes:
            continue
        turn += 1
        escapes = [b"\x1b"] * 4
        for keys in (b"p", b"e", f"typed{turn} ".encode(), b"\x13", *escapes, b"u" * (turn % 2), b"r"):
            os.write(terminal, keys)
            _drain(terminal, 0.5)
    return times


def _drain_quiet(terminal: int, idle: float) -> None:
    """Read what is still being drawn, which is no answer to the next key."""
    while select.select([terminal], [], [], idle)[0]:
        if not _read(terminal):
            return
