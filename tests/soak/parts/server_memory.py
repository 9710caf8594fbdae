"""The MCP memory server and memtui read what the other wrote into one file: in turns, and while both
write."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.soak.owners.concurrent_edits import ConcurrentRound
from tests.soak.owners.contract import RoundFailed
from tests.soak.owners.graph_owner import GraphOwner
from tests.soak.owners.graph_verbs import GraphUser
from tests.soak.owners.install import npm_package
from tests.soak.owners.round import run as run_rounds
from tests.soak.part import NPM, Minimum, Report
from tests.support.memory_disk import temp_folder

PACKAGE, VERSION = "@modelcontextprotocol/server-memory", "2026.8.31"
TITLE = f"server-memory {VERSION} (npm) reads what memtui wrote, and memtui what it wrote"
NEEDS = [NPM]
SEEDS, CONCURRENT_SEEDS = range(7_000, 7_160), range(7_900, 7_902)
MINIMUM = Minimum(rounds=len(SEEDS) + len(CONCURRENT_SEEDS))


def run(report: Report) -> None:
    """Run all rounds in turns, with one server that is sometimes restarted; then those in which both write,
    each with a server of its own."""
    package = npm_package(PACKAGE, VERSION)
    command = [shutil.which("node") or "node", str(package / "dist" / "index.js")]
    with temp_folder() as folder:
        owner = GraphOwner(command, Path(folder))
        try:
            run_rounds(report, SEEDS, Path(folder), owner, GraphUser)
        finally:
            owner.close()
        report.plan(len(CONCURRENT_SEEDS))
        for seed in CONCURRENT_SEEDS:
            _run_concurrently(report, seed, Path(folder) / str(seed), command)


def _run_concurrently(report: Report, seed: int, folder: Path, command: list[str]) -> None:
    round = ConcurrentRound(seed, folder, command)
    try:
        round.run()
    except RoundFailed as error:
        report.add_loss(f"seed {seed}, both at once: {error}")
    finally:
        round.close()
    report.add_rounds()
