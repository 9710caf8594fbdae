"""A workspace and a home folder for connections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from memtui.agents.connect.target import Surroundings, connection, hooks_connection, target
from memtui.memory.results import Change
from memtui.workspace.connections.connection import Connection
from memtui.workspace.workspace import Workspace


@dataclass
class Desk:
    """A person's home folder with a project in it, and their workspace."""

    work: Workspace
    around: Surroundings

    def wanted(self, word: str, agent: str | None = None, *, project: bool = False) -> Connection:
        client, file = target(word, self.around, project=project)
        return connection(client, file, agent, self.work.path, "/opt/bin/memtui", self.around)

    def both(self, agent: str = "scout", *, project: bool = False) -> list[Connection]:
        """The MCP server of Claude Code, and its hooks."""
        client, _ = target("claude-code", self.around, project=project)
        hooks = hooks_connection(
            client, agent, self.work.path, "/opt/my bin/memtui", self.around, project=project
        )
        assert hooks is not None
        return [self.wanted("claude-code", agent, project=project), hooks]

    def connect(self, word: str, agent: str | None = None, *, project: bool = False) -> Change:
        return self.work.connect(self.wanted(word, agent, project=project))

    def disconnect(self, word: str, *, project: bool = False) -> Change:
        return self.work.disconnect(self.wanted(word, "x", project=project))

    def states(self) -> dict[str, str]:
        return {Path(each.file).name: state.value for each, state in self.work.connections()}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    project = tmp_path / "home" / "project"
    project.mkdir(parents=True)
    with closing(Workspace.open(tmp_path / "w.db")) as work:
        yield Desk(work, Surroundings(tmp_path / "home", project, {}))
