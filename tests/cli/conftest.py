"""Each test runs in a folder of its own, with the demo workspace or with none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from memtui.embedding.hashed import HashEmbedder
from memtui.workspace.workspace import Workspace
from tests.support import demo_stores
from tests.support.command_line import NOW, Cli
from tests.support.demo_workspace import relocate_stores


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run commands in an empty folder, with a workspace named by the environment; no model is loaded unless a
    test asks for one."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(tmp_path / "office" / "demo" / "demo.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text('model = "off"\n', "utf-8")
    monkeypatch.setenv("MEMTUI_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.delenv("MEMTUI_DEBUG", raising=False)
    monkeypatch.setenv("LANGUAGE", "C")  # else argparse looks for translations on disk
    return folder


@pytest.fixture(scope="session")
def demo_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, built once and copied for each test."""
    return demo_stores.build(tmp_path_factory.mktemp("demo") / "office", lambda: NOW)


@pytest.fixture
def demo_database(demo_template: Path, tmp_path: Path) -> Path:
    """The demo's stores and their workspace, which is the one the environment names."""
    source, folder = demo_template.parents[1], tmp_path / "office"
    shutil.copytree(source, folder)
    path = folder / demo_template.relative_to(source)
    relocate_stores(path, source, folder)
    return path


def insert_memories(path: Path, contents: list[str]) -> None:
    """Insert many memories into the native store with one statement, bypassing memtui."""
    connection = apsw.Connection(str(path))
    insert = (
        "INSERT INTO memories (uid, store_id, ref, content, seen_at) "
        "SELECT 'fill' || key, 1, 'fill' || key, value, 1 FROM json_each(?)"
    )
    connection.execute(insert, (json.dumps(contents),))
    connection.close()


@pytest.fixture
def bare(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs commands in this process; there is no workspace yet."""
    return Cli(capsys, monkeypatch)


@pytest.fixture
def cli(bare: Cli, demo_database: Path) -> Cli:
    """Runs commands in this process on the demo workspace."""
    return bare


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give commands of this process a model by which texts with the same words are similar."""
    monkeypatch.setattr("memtui.embedding.factory.opener", lambda setting: HashEmbedder)


@pytest.fixture
def real_model(here: Path) -> None:
    """Let commands use the bundled model."""
    (here.parent / "settings.toml").write_text("", "utf-8")


@pytest.fixture
def opened(demo_database: Path) -> Iterator[Workspace]:
    """The same workspace, opened a second time."""
    workspace = Workspace.open(demo_database)
    yield workspace
    workspace.close()
