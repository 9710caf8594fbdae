"""A demo workspace for each fault, and memtui's commands on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Cli
from tests.support.demo_workspace import DemoWorkspace
from tests.tui.conftest import environment  # noqa: F401
from tests.workspace.conftest import demo_workspace, template, workspace  # noqa: F401


@pytest.fixture
def cli(
    demo_workspace: DemoWorkspace,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Cli:
    """Runs commands on the demo workspace."""
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(demo_workspace.path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("MEMTUI_DEBUG", raising=False)
    return Cli(capsys, monkeypatch)
