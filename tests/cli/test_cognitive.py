"""`memtui cognitive …`: what a tree derives from its memories, rebuilt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Cli
from tests.support.stores.cognitive import REDIS, make


@pytest.fixture
def root(tmp_path: Path, cli: Cli) -> Path:
    root = make(tmp_path / "notes" / "cognitive").root
    cli.json("stores", "attach", str(root), "--name", "brain")
    return root


@pytest.mark.parametrize(
    ("command", "name"),
    [("core", "CORE.md"), ("reflect", "REFLECTION.md"), ("decay", "_state.json"), ("reindex", "_index.json")],
)
def test_a_file_is_rebuilt_once(cli: Cli, root: Path, command: str, name: str) -> None:
    (root / "_index.json").unlink()
    ran = cli("cognitive", command)
    assert (ran.code, ran.out) == (0, f"Written: {root / name}\n"), ran.err
    if command != "decay":  # scores move with the clock
        before = (root / name).read_bytes()
        assert cli("cognitive", command, "brain").out == "brain is already up to date.\n"
        assert (root / name).read_bytes() == before
    assert cli.json("cognitive", command, str(root))["store"] == "brain"


def test_uses_outlive_a_decay(cli: Cli, root: Path) -> None:
    assert cli.json("cognitive", "decay") == {"store": "brain", "written": [str(root / "_state.json")]}
    entry = json.loads((root / "_state.json").read_text())["entries"][REDIS]
    assert (entry["access_count"], entry["last_accessed"]) == (5, "2025-12-13T10:15:00+00:00")
    assert 0 <= entry["decay_score"] < 0.75


def test_the_trees_are_listed(cli: Cli, root: Path) -> None:
    assert cli.json("cognitive") == [{"name": "brain", "path": str(root), "count": 7}]
    assert "brain" in cli("cognitive", "list").out


def test_a_tree_that_is_not_attached_is_refused_with_the_way_to_it(
    cli: Cli, root: Path, tmp_path: Path
) -> None:
    other = make(tmp_path / "other").root
    ran = cli("cognitive", "core", str(other))
    assert ran.code != 0
    assert f"memtui stores attach {other}" in ran.err
    assert (other / "CORE.md").read_text() == (root / "CORE.md").read_text()
    assert cli("cognitive", "core", "native").code != 0
    assert "There is no store named elsewhere" in cli("cognitive", "core", "elsewhere").err


def test_which_of_two_must_be_said(cli: Cli, root: Path, tmp_path: Path) -> None:
    cli.json("stores", "attach", str(make(tmp_path / "other").root), "--name", "other")
    ran = cli("cognitive", "core")
    assert ran.code != 0
    assert "There are brain, other." in ran.err
    assert cli("cognitive", "core", "other").code == 0


def test_without_a_tree_nothing_is_rebuilt(cli: Cli) -> None:
    assert "No Cognitive Memory tree is attached" in cli("cognitive", "core").err


def test_read_only_is_read_only(cli: Cli, root: Path) -> None:
    before = (root / "CORE.md").read_bytes()
    assert cli("--read-only", "cognitive", "core").code != 0
    assert (root / "CORE.md").read_bytes() == before
