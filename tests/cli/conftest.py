"""Every test has a place of its own, and what it asks for: an office, or nothing yet."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from memtui.embedding.hashed import HashEmbedder
from memtui.workspace.workspace import Workspace
from tests.support import office
from tests.support.command_line import NOW, Cli
from tests.support.demo_workspace import moved


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands run in an empty folder, and the environment names a workspace beside it; no model is
    loaded but where a test asks for one."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(tmp_path / "office" / "demo" / "demo.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('model = "off"\n', "utf-8")
    monkeypatch.setenv("MEMTUI_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.delenv("MEMTUI_DEBUG", raising=False)
    monkeypatch.setenv("LANGUAGE", "C")  # or argparse looks for translations of each of its words on disk
    return folder


@pytest.fixture(scope="session")
def demo_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo that is made once and copied for each test."""
    return office.build(tmp_path_factory.mktemp("demo") / "office", lambda: NOW)


@pytest.fixture
def demo_database(demo_template: Path, tmp_path: Path) -> Path:
    """The demo's stores and their workspace, which the environment names."""
    source, folder = demo_template.parents[1], tmp_path / "office"
    shutil.copytree(source, folder)
    path = folder / demo_template.relative_to(source)
    moved(path, source, folder)
    return path


def fill(path: Path, contents: list[str]) -> None:
    """Put memories into the workspace's own store, past memtui: many at once."""
    connection = apsw.Connection(str(path))
    insert = (
        "INSERT INTO memories (uid, store_id, ref, content, seen_at) "
        "SELECT 'fill' || key, 1, 'fill' || key, value, 1 FROM json_each(?)"
    )
    connection.execute(insert, (json.dumps(contents),))
    connection.close()


@pytest.fixture
def bare(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in this process, where there is no workspace yet."""
    return Cli(capsys, monkeypatch)


@pytest.fixture
def cli(bare: Cli, demo_database: Path) -> Cli:
    """Runs a command in this process, on the office."""
    return bare


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of this process have a model that takes texts with the same words for alike."""
    monkeypatch.setattr("memtui.embedding.opening.opener", lambda setting: HashEmbedder)


@pytest.fixture
def real_model(here: Path) -> None:
    """Commands have the model that came with memtui."""
    (here.parent / "settings.toml").write_text("", "utf-8")


@pytest.fixture
def opened(demo_database: Path) -> Iterator[Workspace]:
    """The same workspace, opened once more."""
    workspace = Workspace.open(demo_database)
    yield workspace
    workspace.close()
