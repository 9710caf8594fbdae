"""Every test has a demo office of its own, which the environment names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import demo
from memtui.workspace.workspace import Workspace
from tests.cli.running import NOW, Cli


@pytest.fixture(autouse=True)
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's stores and workspace; commands run in an empty folder beside them."""
    path = demo.build(tmp_path / "office", lambda: NOW)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MEMTUI_DEBUG", raising=False)
    return path


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in this process."""
    return Cli(capsys, monkeypatch)


@pytest.fixture
def opened(office: Path) -> Iterator[Workspace]:
    """The same workspace, in other hands."""
    workspace = Workspace.open(office)
    yield workspace
    workspace.close()
