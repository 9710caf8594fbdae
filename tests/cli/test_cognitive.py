"""`memtui cognitive …`: derived files of a tree are rebuilt."""

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
def test_a_derived_file_is_rebuilt_only_if_it_differs(cli: Cli, root: Path, command: str, name: str) -> None:
    (root / "_index.json").unlink()
    result = cli("cognitive", command)
    assert (result.code, result.out) == (0, f"Wrote {root / name}\n"), result.err
    if command != "decay":  # scores move with the clock
        before = (root / name).read_bytes()
        assert cli("cognitive", command, "brain").out == "brain is already up to date.\n"
        assert (root / name).read_bytes() == before
    assert cli.json("cognitive", command, str(root))["store"] == "brain"


def test_decay_keeps_the_access_counts(cli: Cli, root: Path) -> None:
    assert cli.json("cognitive", "decay") == {"store": "brain", "written": [str(root / "_state.json")]}
    entry = json.loads((root / "_state.json").read_text())["entries"][REDIS]
    assert (entry["access_count"], entry["last_accessed"]) == (5, "2025-12-13T10:15:00+00:00")
    assert 0 <= entry["decay_score"] < 0.75


def test_trees_are_listed(cli: Cli, root: Path) -> None:
    assert cli.json("cognitive") == [{"name": "brain", "path": str(root), "count": 7}]
    assert "brain" in cli("cognitive", "list").out


def test_a_tree_that_is_not_attached_is_refused_with_the_command_to_attach_it(
    cli: Cli, root: Path, tmp_path: Path
) -> None:
    other = make(tmp_path / "other").root
    result = cli("cognitive", "core", str(other))
    assert result.code != 0
    assert f"memtui stores attach {other}" in result.err
    assert (other / "CORE.md").read_text() == (root / "CORE.md").read_text()
    assert cli("cognitive", "core", "native").code != 0
    assert "No store named elsewhere" in cli("cognitive", "core", "elsewhere").err


def test_with_two_trees_one_must_be_named(cli: Cli, root: Path, tmp_path: Path) -> None:
    cli.json("stores", "attach", str(make(tmp_path / "other").root), "--name", "other")
    result = cli("cognitive", "core")
    assert result.code != 0
    assert "Several Cognitive Memory stores are attached: brain, other." in result.err
    assert cli("cognitive", "core", "other").code == 0


def test_without_a_tree_the_command_is_refused(cli: Cli) -> None:
    assert "No Cognitive Memory store is attached" in cli("cognitive", "core").err


def test_read_only_rebuilds_nothing(cli: Cli, root: Path) -> None:
    before = (root / "CORE.md").read_bytes()
    assert cli("--read-only", "cognitive", "core").code != 0
    assert (root / "CORE.md").read_bytes() == before
