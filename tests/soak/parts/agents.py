"""Agents write through MCP servers of their own while a person corrects memories, all in one workspace. In
most rounds one server is killed in the middle of a call. Then what was acknowledged is there once, what was
not is there whole or not at all, and the workspace is sound."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

from memtui.errors import Refused
from memtui.workspace.workspace import Workspace
from tests.soak.part import Minimum, Need, Report
from tests.support.mcp import load
from tests.support.mcp.program import HttpProgram, Program
from tests.support.memory_disk import temp_folder

TITLE = "agents write through MCP servers, some killed in mid-call, while a person corrects"
NEEDS: tuple[Need, ...] = ()
SEEDS = range(9_000, 9_020)
MINIMUM = Minimum(rounds=len(SEEDS), faults=10)
_SECONDS, _RATE = 2.0, 50.0  # of a round; memories a second of each agent


def run(report: Report) -> None:
    """Run all rounds."""
    report.plan(len(SEEDS))
    for seed in SEEDS:
        with temp_folder() as folder:
            hit, wrong = _round(seed, Path(folder) / "own" / "w.db")
        for each in wrong:
            report.add_loss(f"seed {seed}: {each}")
        report.add_rounds(1, int(hit))


def _round(seed: int, workspace: Path) -> tuple[bool, list[str]]:
    """Run one round; return whether a server was killed while it had a call, and what is wrong."""
    chosen = random.Random(seed)
    with Program(workspace, agent="scout") as one, HttpProgram(workspace, agent="rover") as two:
        writers = [load.Writer(one, "scout", _RATE), load.Writer(two, "rover", _RATE)]
        for each in writers:
            each.server.greet()
        over = threading.Event()
        person = threading.Thread(target=_correct, args=(workspace, over, chosen.random()))
        victim = chosen.choice(writers) if chosen.random() < 0.8 else None
        killer = threading.Timer(chosen.uniform(0.3, _SECONDS), victim.server.process.kill if victim else int)
        person.start()
        killer.start()
        load.run(writers, _SECONDS)
        killer.join()
        over.set()
        person.join()
    hit = victim is not None and len(victim.sent) > len(victim.acknowledged) + len(victim.refused)
    return hit, load.lost_or_doubled(workspace, writers)


def _correct(workspace: Path, over: threading.Event, seed: float) -> None:
    """Pin and unpin memories, as a person does, until told."""
    chosen = random.Random(seed)
    opened = Workspace.open(workspace)
    try:
        while not over.is_set():
            time.sleep(0.05)
            if ids := opened.ids_in(store="native"):
                try:
                    opened.undo(opened.pin([chosen.choice(ids)]).journal_id)
                except Refused:  # another process was busy, or had the memory: nothing was done
                    continue
    finally:
        opened.close()
