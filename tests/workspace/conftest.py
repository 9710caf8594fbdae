"""One office for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import DemoWorkspace, copied, furnish


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> DemoWorkspace:
    return furnish(tmp_path_factory.mktemp("template"))


@pytest.fixture
def demo_workspace(template: DemoWorkspace, tmp_path: Path) -> DemoWorkspace:
    return copied(template, tmp_path / "house")


@pytest.fixture
def workspace(demo_workspace: DemoWorkspace) -> Iterator[Workspace]:
    workspace = demo_workspace.open()
    yield workspace
    workspace.close()
