"""One office for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.workspace.office import Office, copied, furnish


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Office:
    return furnish(tmp_path_factory.mktemp("template"))


@pytest.fixture
def office(template: Office, tmp_path: Path) -> Office:
    return copied(template, tmp_path / "house")


@pytest.fixture
def workspace(office: Office) -> Iterator[Workspace]:
    workspace = office.open()
    yield workspace
    workspace.close()
