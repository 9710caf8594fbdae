"""A demo workspace for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import DemoWorkspace, agrees, copied, furnish
from tests.support.kills.kill_harness import KillHarness


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> DemoWorkspace:
    return furnish(tmp_path_factory.mktemp("template"))


@pytest.fixture
def demo_workspace(template: DemoWorkspace, tmp_path: Path) -> DemoWorkspace:
    return copied(template, tmp_path / "demo")


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace) -> Iterator[Workspace]:
    workspace = demo_workspace.open()
    yield workspace
    workspace.close()


@pytest.fixture(scope="session")
def kill_harness() -> Iterator[KillHarness]:
    """A second process, which is killed in the midst of what it is told to do."""
    kill_harness = KillHarness()
    yield kill_harness
    kill_harness.close()


@pytest.fixture
def graph(place: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace on the MCP memory that the test module calls `place`; the mirror must agree in the end."""
    workspace = Workspace.open(tmp_path / "workspace.db")
    workspace.attach(place, "graph")
    yield workspace
    agrees(workspace)
    workspace.close()
