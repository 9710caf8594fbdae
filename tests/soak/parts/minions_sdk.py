"""The minions SDK and memtui read what the other wrote into one folder."""

from __future__ import annotations

from pathlib import Path

from tests.soak.owners.install import python_packages
from tests.soak.owners.minions_owner import MinionsOwner
from tests.soak.owners.minions_verbs import MinionsUser
from tests.soak.owners.round import run as run_rounds
from tests.soak.part import PYTHON_312, Minimum, Report
from tests.support.memory_disk import temp_folder

SDK, TYPES = ("minions-sdk", "0.2.4"), ("minions-memory", "0.1.0")
TITLE = f"minions-sdk {SDK[1]} (PyPI) reads what memtui wrote, and memtui what it wrote"
NEEDS = [PYTHON_312]
SEEDS = range(8_000, 8_120)
MINIMUM = Minimum(rounds=len(SEEDS))


def run(report: Report) -> None:
    """Run all rounds, with one process of the SDK that is sometimes restarted."""
    python = python_packages(SDK, TYPES)
    with temp_folder() as folder:
        owner = MinionsOwner(python, Path(folder))
        try:
            run_rounds(report, SEEDS, Path(folder), owner, MinionsUser)
        finally:
            owner.close()
