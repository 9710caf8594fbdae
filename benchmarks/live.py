"""From key to repaint while two agents write, beside the quiet case; and nothing is lost.

The real program in a terminal of 120×36, with three attached stores: a database, a folder of
Markdown and a JSONL file. Keys move the cursor, edit, pin and undo; in turns of ten seconds two agent
processes write 20 changes a second each, and rest, so that a machine that gets slower or faster
meanwhile does not count. Measured are the moves: from the key until the first byte of what it draws.
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

from benchmarks.agents import furnish, lost, start
from benchmarks.measure import PYTHON, Result, environment, percentile
from memtui.workspace.workspace import Workspace

RATE = 20.0
PATIENCE = 5.0  # seconds for one key
SPELL = 10.0  # seconds for which agents write, and then rest


def measure(folder: Path, seconds: int, count: int = 400) -> list[Result]:
    """p50 and p95 of a move; raises SystemExit where a write of either side was lost."""
    places = furnish(folder / "live", count)
    path = folder / "live.db"
    workspace = Workspace.open(path)
    for place in places:
        workspace.attach(place)
    workspace.close()
    with program(path) as (hand, _):
        spell = min(SPELL, seconds)
        begin = time.monotonic() + 1.0
        changes = int(seconds * RATE)
        agents = [start(folder / "live", f"agent{n}", changes, RATE, begin, spell) for n in (1, 2)]
        loud: list[float] = []
        quiet: list[float] = []
        for turn in range(2 * max(1, round(seconds / spell))):
            time.sleep(max(0.0, begin + turn * spell - time.monotonic()))
            (quiet if turn % 2 else loud).extend(moves(hand, spell, person=True))
        said = [json.loads(agent.communicate(timeout=120)[0]) for agent in agents]
        os.write(hand, b"\x1b\x1b")
    gone = [each for agent in said for each in lost(folder / "live", agent)]
    gone += _lost_of_the_person(path)
    if gone:
        raise SystemExit(f"lost: {gone[:10]}")
    what = "key to repaint while two agents write, beside quiet"
    return [
        Result(f"{what}, p50", percentile(loud, 0.5), percentile(quiet, 0.5)),
        Result(f"{what}, p95", percentile(loud, 0.95), percentile(quiet, 0.95), 1.5),
    ]


def _lost_of_the_person(path: Path) -> list[str]:
    """What the journal calls done and no memory says, and what was refused without a reason."""
    workspace = Workspace.open(path)
    workspace.pull()
    mine = [event for event in workspace.journal(100_000) if event.actor == "person"]
    gone = [f"{e.summary}: {e.state} without a reason" for e in mine if e.state != "done" and not (
        e.reason or e.state == "undone")]  # fmt: skip
    done = sum(event.state in ("done", "undone") for event in mine)
    edits = [event for event in mine if event.kind == "edited" and event.state == "done"]
    for event in edits:
        (item,) = workspace.journal_items(event.id)
        (memory,) = workspace.memories([workspace.find(item.uid)])
        if item.after is None or not memory.content.startswith(item.after["content"].split()[0]):
            gone.append(f"edit of {item.uid}")
    print(f"  {len(mine)} changes by the person, {done} done, {len(edits)} edits that stand", flush=True)
    workspace.close()
    return gone


@contextmanager
def program(path: Path) -> Iterator[tuple[int, int]]:
    """The real program on a workspace: its terminal, to write keys to, and its process."""
    hand, program = pty.openpty()
    fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    pid = os.fork()
    if pid == 0:
        os.close(hand)
        os.login_tty(program)
        command = [PYTHON, "-m", "memtui", "--workspace", str(path)]
        os.execvpe(command[0], command, environment())
    os.close(program)
    try:
        select.select([hand], [], [], 30)
        time.sleep(2)
        _until_calm(hand, 3.0)
        yield hand, pid
        os.write(hand, b"q")
        _until_calm(hand, 0.5)
    finally:
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            if os.waitpid(pid, os.WNOHANG)[0]:
                break
            time.sleep(0.05)
        else:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(hand)


def _until_calm(hand: int, most: float) -> None:
    end = time.monotonic() + most
    while time.monotonic() < end and select.select([hand], [], [], 0.3)[0]:
        if not _read(hand):
            return


def _read(hand: int) -> bytes:
    try:
        return os.read(hand, 1 << 16)
    except OSError:
        return b""


def moves(hand: int, seconds: float, *, person: bool = False) -> list[float]:
    """How long each move took; with `person`, changes are made in between."""
    times: list[float] = []
    end = time.monotonic() + seconds
    turn = 0
    while time.monotonic() < end:
        for key in (b"j",) * 12 + (b"k",) * 10:
            if time.monotonic() >= end:
                return times
            _until_calm_for(hand, 0.015)
            begin = time.perf_counter()
            os.write(hand, key)
            ready, _, _ = select.select([hand], [], [], PATIENCE)
            if not ready:
                raise SystemExit("a key got no answer")
            times.append(time.perf_counter() - begin)
            time.sleep(0.02)
        if not person:
            continue
        turn += 1
        back = [b"\x1b"] * 4
        for keys in (b"p", b"e", f"typed{turn} ".encode(), b"\x13", *back, b"u" * (turn % 2), b"r"):
            os.write(hand, keys)
            _until_calm(hand, 0.5)
    return times


def _until_calm_for(hand: int, quiet: float) -> None:
    """Take what is still being drawn: it is no answer to the next key."""
    while select.select([hand], [], [], quiet)[0]:
        if not _read(hand):
            return
