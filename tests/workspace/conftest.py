"""Fixtures of the workspace tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    DemoWorkspace,
    assert_in_sync,
    copy_demo_workspace,
    create_demo_workspace,
)
from tests.support.kills.kill_harness import KillHarness


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> DemoWorkspace:
    return create_demo_workspace(tmp_path_factory.mktemp("template"))


@pytest.fixture
def demo_workspace(template: DemoWorkspace, tmp_path: Path) -> DemoWorkspace:
    return copy_demo_workspace(template, tmp_path / "demo")


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace) -> Iterator[Workspace]:
    workspace = demo_workspace.open()
    yield workspace
    workspace.close()


@pytest.fixture(scope="session")
def kill_harness() -> Iterator[KillHarness]:
    """A second process that can be killed in the middle of a verb."""
    kill_harness = KillHarness()
    yield kill_harness
    kill_harness.close()


@pytest.fixture
def graph(store_path: Path, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace on the MCP memory at the module's `store_path`; at the end it must be in sync."""
    workspace = Workspace.open(tmp_path / "workspace.db")
    workspace.attach(store_path, "graph")
    yield workspace
    assert_in_sync(workspace)
    workspace.close()
