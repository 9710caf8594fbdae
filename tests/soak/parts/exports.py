"""The programs that own a format read the stores that `memtui export --as` makes, and go on writing there."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.soak.owners import export_round
from tests.soak.owners.graph_owner import GraphOwner
from tests.soak.owners.install import npm_package, python_packages
from tests.soak.owners.minions_owner import MinionsOwner
from tests.soak.part import NPM, PYTHON_312, Minimum, Report
from tests.soak.parts import minions_sdk, server_memory
from tests.support.memory_disk import temp_folder

TITLE = "the MCP memory server and the minions SDK read stores that memtui exported, and go on writing there"
NEEDS = [NPM, PYTHON_312]
SEEDS = range(9_000, 9_060)
MINIMUM = Minimum(rounds=2 * len(SEEDS))


def run(report: Report) -> None:
    """Run all rounds, with one process of each owner."""
    package = npm_package(server_memory.PACKAGE, server_memory.VERSION)
    python = python_packages(minions_sdk.SDK, minions_sdk.TYPES)
    command = [shutil.which("node") or "node", str(package / "dist" / "index.js")]
    with temp_folder() as folder:
        graph = GraphOwner(command, Path(folder))
        try:
            export_round.run(report, SEEDS, Path(folder), graph, "mcp-memory")
        finally:
            graph.close()
        minions = MinionsOwner(python, Path(folder))
        try:
            export_round.run(report, SEEDS, Path(folder), minions, "minions")
        finally:
            minions.close()
