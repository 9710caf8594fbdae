"""One office for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.workspace.office import Office, furnish


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return furnish(tmp_path)


@pytest.fixture
def workspace(office: Office) -> Iterator[Workspace]:
    workspace = office.open()
    yield workspace
    workspace.close()
