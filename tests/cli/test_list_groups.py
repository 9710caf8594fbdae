"""`memtui list --group`: memories under headings (S-31, S-82)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_graph import attach_graph
from tests.support.command_line import Cli


def test_list_by_entity_prints_headings_with_their_memories(bare: Cli, tmp_path: Path) -> None:
    attach_graph(bare, tmp_path)
    blocks = bare("list", "--group", "entity").out.strip().split("\n\n")
    found = {block.splitlines()[0].split(" · ")[0]: block.splitlines()[1:] for block in blocks}
    assert {name: len(rows) for name, rows in found.items()} == {"Ana": 2, "Bo": 1, "alone": 1}
    (heading,) = (block.splitlines()[0] for block in blocks if block.startswith("Ana"))
    assert heading.split(" · ")[:3] == ["Ana", "person", "2 memories"]
    assert "likes tea" in "".join(found["Ana"])


def test_groups_as_json(bare: Cli, tmp_path: Path) -> None:
    attach_graph(bare, tmp_path)
    groups = json.loads(bare("list", "--group", "entity", "--json").out)
    assert {group["name"]: len(group["memories"]) for group in groups} == {"Ana": 2, "Bo": 1, "alone": 1}
    assert {group["kind"] for group in groups} == {"person"}
    assert json.loads(bare("list", "nothing-like-this", "--group", "store", "--json").out) == []


def test_an_unknown_grouping_is_a_usage_error(bare: Cli) -> None:
    assert bare("list", "--group", "colour").code == 2
    assert "No memories yet." in bare("list", "--group", "entity").err
