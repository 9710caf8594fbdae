"""From key to repaint while two agents write through MCP servers of their own, compared with rest.

The real program in a terminal of 120×36, on memtui's own store with some hundred memories. Keys move the
cursor, edit, pin and undo. Two agents store 25 memories a second each for ten seconds, and pause as long, in
turn. Measured are the cursor moves, from the key to the first byte that it draws. What the servers
acknowledged has to be there once, as it was sent, and what the person did, too.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from benchmarks.live.beside_agents import PERIOD, run_memtui, time_moves, user_changes_lost
from benchmarks.measure import Result, percentile
from memtui.workspace.workspace import Workspace
from tests.support.mcp import load
from tests.support.mcp.program import Program

RATE = 25.0  # memories a second of each agent
TARGET = 1.5


def measure(folder: Path, seconds: int, count: int = 400) -> list[Result]:
    """Measure p50 and p95 of a move. Raise SystemExit if a write was lost or doubled."""
    path = folder / "live-agents" / "w.db"
    path.parent.mkdir()
    workspace = Workspace.open(path)
    for number in range(count):
        workspace.add({"content": f"Memory number {number} of a person.", "category": "fact"})
    workspace.close()
    period = min(PERIOD, seconds)
    busy: list[float] = []
    idle: list[float] = []
    with (
        Program(path, agent="scout") as one,
        Program(path, agent="rover") as two,
        run_memtui(path) as (
            terminal,
            _,
        ),
    ):
        writers = [load.Writer(each, name, RATE) for each, name in ((one, "scout"), (two, "rover"))]
        for each in writers:
            each.server.greet()
        for _ in range(max(1, round(seconds / period))):
            work = threading.Thread(target=load.run, args=(writers, period))
            work.start()
            busy += time_moves(terminal, period, with_changes=True)
            work.join()
            idle += time_moves(terminal, period, with_changes=True)
        os.write(terminal, b"\x1b\x1b")
    found = load.lost_or_doubled(path, writers)
    # A text that differs from what an agent sent is an edit by the person, which is looked at by itself.
    lost = [*(each for each in found if not each.startswith("torn")), *user_changes_lost(path)]
    if lost:
        raise SystemExit(f"lost: {lost[:10]}")
    stored = sum(len(each.acknowledged) for each in writers)
    took = [second for each in writers for second in each.seconds]
    print(
        f"  {stored} memories stored by agents, p95 {percentile(took, 0.95) * 1000:.0f} ms each", flush=True
    )
    what = "key to repaint while two agents write over MCP, vs quiet"
    return [
        Result(f"{what}, p50", percentile(busy, 0.5), percentile(idle, 0.5)),
        Result(f"{what}, p95", percentile(busy, 0.95), percentile(idle, 0.95), TARGET),
    ]
