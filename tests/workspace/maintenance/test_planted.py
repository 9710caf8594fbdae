"""The doctor names what is planted in a store, whatever its format, and nothing in a sound one."""

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
def office() -> Iterator[Path]:
    """A folder that users of the machine can get to; those of pytest are closed."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def ctx(office: Path) -> Iterator[Context]:
    workspace = Workspace.open(office / "workspace.db", clock=lambda: NOW)
    yield workspace._ctx
    workspace.close()


@pytest.fixture(scope="module")
def looked(ctx: Context) -> Callable[[str, Path], list[Issue]]:
    def look(format: str, root: Path) -> list[Issue]:
        store = SimpleNamespace(name="store", format=format, path=str(root))
        return store_checks.examine(ctx, store, {root.stat().st_dev})

    return look


@pytest.fixture(scope="module")
def sound(office: Path) -> Callable[[str], Path]:
    """The sound store of a format: its folder, in which `root_in` finds it."""

    @cache
    def made(format: str) -> Path:
        folder = office / "sound" / format
        folder.mkdir(parents=True)
        STORES[format][0](folder)
        for file in folder.rglob("*"):
            file.chmod(0o711 if file.is_dir() else 0o600)
        return folder

    return made


def root_in(folder: Path) -> Path:
    (root,) = folder.iterdir()
    return root


@pytest.mark.parametrize("format", STORES)
def test_a_sound_store_has_nothing(
    format: str, sound: Callable[[str], Path], looked: Callable[[str, Path], list[Issue]]
) -> None:
    assert looked(format, root_in(sound(format))) == []


@pytest.mark.parametrize("format", STORES)
def test_what_is_planted_is_named(
    format: str,
    office: Path,
    sound: Callable[[str], Path],
    looked: Callable[[str, Path], list[Issue]],
) -> None:
    missed, mute = [], []
    for number, (name, code, plant) in enumerate(case[1:] for case in CASES if case[0] == format):
        folder = shutil.copytree(sound(format), office / f"{format}-{number}")
        root = root_in(folder)
        plant(root)
        found = looked(format, root)
        if code not in {ailment.code for ailment in found}:
            missed.append((name, code, sorted({ailment.code for ailment in found})))
        mute += [a.code for a in found if a.code == code and not a.meaning and a.code not in _ALL_SAID]
        shutil.rmtree(folder)
    assert missed == []
    assert mute == []


@pytest.mark.parametrize("name", ["two words; and more", "plain"])
def test_a_command_that_is_told_can_be_pasted(
    name: str, office: Path, sound: Callable[[str], Path], looked: Callable[[str, Path], list[Issue]]
) -> None:
    folder = shutil.copytree(sound("mcp-memory"), office / name)
    folder.chmod(0o711)
    root = root_in(folder)
    root.chmod(0o606)
    commands = [
        each.meaning.partition(": ")[2] for each in looked("mcp-memory", root) if "chmod" in each.meaning
    ]
    assert [shlex.split(command) for command in commands] == [["chmod", "-R", "o=", str(root)]] * 2


@pytest.mark.parametrize("format", ["founder-os", "mem-skill", "base-coat", "cognitive"])
def test_a_store_of_a_newer_schema_is_only_read(
    format: str, office: Path, sound: Callable[[str], Path], ctx: Context
) -> None:
    folder = shutil.copytree(sound(format), office / f"{format}-newer")
    adapter = registry.by_name(format)(root_in(folder))
    record = adapter.read().records[0]
    plants = (case[3] for case in CASES if case[0] == format and case[2] == "newer-schema")
    next(plants)(adapter.root)
    assert adapter.read().records[0].ref == record.ref
    assert "version" in adapter.locked_reason()
    (refusal,) = adapter.plan([Write("edit", record.ref, {"content": "New."}, {}, NOW)])
    assert isinstance(refusal, Refused)
    assert refusal.code == "read-only"


_ALL_SAID = {"world-readable"}  # whose sentence says what follows
