"""The doctor finds each fault planted in a store of any format, and nothing in a sound one."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.formats.contract.plans import Write
from memtui.memory.stores import Issue
from memtui.workspace.context import Context
from memtui.workspace.maintenance import store_checks
from memtui.workspace.workspace import Workspace
from tests.support.planted import CASES, NOW, STORES


@pytest.fixture(scope="module")
def open_folder() -> Iterator[Path]:
    """A folder that other users can enter, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def ctx(open_folder: Path) -> Iterator[Context]:
    workspace = Workspace.open(open_folder / "workspace.db", clock=lambda: NOW)
    yield workspace._ctx
    workspace.close()


@pytest.fixture(scope="module")
def examine(ctx: Context) -> Callable[[str, Path], list[Issue]]:
    def examine_store(format: str, root: Path) -> list[Issue]:
        store = SimpleNamespace(name="store", format=format, path=str(root))
        return store_checks.examine(ctx, store, {root.stat().st_dev})

    return examine_store


@pytest.fixture(scope="module")
def sound_store(open_folder: Path) -> Callable[[str], Path]:
    """Return a function that creates a sound store of a format once and returns its folder."""

    @cache
    def create(format: str) -> Path:
        folder = open_folder / "sound" / format
        folder.mkdir(parents=True)
        STORES[format][0](folder)
        for file in folder.rglob("*"):
            file.chmod(0o711 if file.is_dir() else 0o600)
        return folder

    return create


def root_in(folder: Path) -> Path:
    (root,) = folder.iterdir()
    return root


@pytest.mark.parametrize("format", STORES)
def test_a_sound_store_has_no_issues(
    format: str, sound_store: Callable[[str], Path], examine: Callable[[str, Path], list[Issue]]
) -> None:
    assert examine(format, root_in(sound_store(format))) == []


@pytest.mark.parametrize("format", STORES)
def test_planted_faults_are_found_and_explained(
    format: str,
    open_folder: Path,
    sound_store: Callable[[str], Path],
    examine: Callable[[str, Path], list[Issue]],
) -> None:
    missed, unexplained = [], []
    for number, (name, code, plant) in enumerate(case[1:] for case in CASES if case[0] == format):
        folder = shutil.copytree(sound_store(format), open_folder / f"{format}-{number}")
        root = root_in(folder)
        plant(root)
        issues = examine(format, root)
        if code not in {issue.code for issue in issues}:
            missed.append((name, code, sorted({issue.code for issue in issues})))
        unexplained += [
            issue.code
            for issue in issues
            if issue.code == code and not issue.meaning and code not in _SELF_EXPLANATORY
        ]
        shutil.rmtree(folder)
    assert missed == []
    assert unexplained == []


@pytest.mark.parametrize("name", ["two words; and more", "plain"])
def test_a_suggested_command_can_be_pasted(
    name: str,
    open_folder: Path,
    sound_store: Callable[[str], Path],
    examine: Callable[[str, Path], list[Issue]],
) -> None:
    folder = shutil.copytree(sound_store("mcp-memory"), open_folder / name)
    folder.chmod(0o711)
    root = root_in(folder)
    root.chmod(0o606)
    commands = [
        each.meaning.partition(": ")[2] for each in examine("mcp-memory", root) if "chmod" in each.meaning
    ]
    assert [shlex.split(command) for command in commands] == [["chmod", "-R", "o=", str(root)]] * 2


@pytest.mark.parametrize("format", ["founder-os", "mem-skill", "base-coat", "cognitive"])
def test_a_store_with_a_newer_schema_is_read_only(
    format: str, open_folder: Path, sound_store: Callable[[str], Path], ctx: Context
) -> None:
    folder = shutil.copytree(sound_store(format), open_folder / f"{format}-newer")
    adapter = registry.by_name(format)(root_in(folder))
    record = adapter.read().records[0]
    plants = (case[3] for case in CASES if case[0] == format and case[2] == "newer-schema")
    next(plants)(adapter.root)
    assert adapter.read().records[0].ref == record.ref
    assert "version" in adapter.locked_reason()
    (refusal,) = adapter.plan([Write("edit", record.ref, {"content": "New."}, {}, NOW)])
    assert isinstance(refusal, Refused)
    assert refusal.code == "read-only"


_SELF_EXPLANATORY = {"world-readable"}  # needs no explanation
