"""The MCP memory server reads what memtui wrote into its file, and memtui what the server wrote: in
turns, and both at once."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.soak.owners.concurrent_edits import ConcurrentRound
from tests.soak.owners.contract import RoundFailed
from tests.soak.owners.graph_owner import GraphOwner
from tests.soak.owners.graph_verbs import GraphVerbs
from tests.soak.owners.install import npm_package
from tests.soak.owners.round import run as run_rounds
from tests.soak.part import NPM, Minimum, Report
from tests.support.memory_disk import temp_folder

PACKAGE, VERSION = "@modelcontextprotocol/server-memory", "2026.8.31"
TITLE = f"server-memory {VERSION} (npm) reads what memtui wrote, and memtui what it wrote"
NEEDS = [NPM]
SEEDS, AT_ONCE = range(7_000, 7_160), range(7_900, 7_902)
LEAST = Minimum(rounds=len(SEEDS) + len(AT_ONCE))


def run(report: Report) -> None:
    """All rounds, with one server that is restarted now and then; then those with one that writes beside a
    person, each with a server of its own."""
    package = npm_package(PACKAGE, VERSION)
    command = [shutil.which("node") or "node", str(package / "dist" / "index.js")]
    with temp_folder() as folder:
        owner = GraphOwner(command, Path(folder))
        try:
            run_rounds(report, SEEDS, Path(folder), owner, GraphVerbs)
        finally:
            owner.close()
        report.plan(len(AT_ONCE))
        for seed in AT_ONCE:
            _at_once(report, seed, Path(folder) / str(seed), command)


def _at_once(report: Report, seed: int, folder: Path, command: list[str]) -> None:
    one = ConcurrentRound(seed, folder, command)
    try:
        one.run()
    except RoundFailed as lost:
        report.loss(f"seed {seed}, both at once: {lost}")
    finally:
        one.close()
    report.done()
