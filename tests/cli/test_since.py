"""memtui since: changes by agents since the last look (S-82)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.cli.runtime.output import Output
from tests.support.command_line import Cli


def test_since_seen_is_refused_in_read_only_mode(cli: Cli) -> None:
    result = cli("since", "--seen", "--read-only", "--json")
    assert (result.code, result.error["code"]) == (1, "read-only")


def test_since_lists_overwritten_changes(bare: Cli, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Bo", "entityType": "x", "observations": ["Likes tea"]}
    path.write_text(original := json.dumps(entity))
    bare("stores", "attach", str(path))
    (bo,) = bare.json("list", "--json")
    bare("edit", bo["uid"], "--content", "Likes ink")
    path.write_text(original)
    (item,) = bare.json("since", "--json")
    assert (item["uid"], item["what"], item["overwritten"]) == (bo["uid"], "changed", True)
    assert "overwritten" in bare("since").out
    bare("undo", str(item["line"]))
    assert "Likes ink" in path.read_text()


def test_since_marks_only_printed_items_as_seen(
    cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = demo_database.parents[1] / "assistant" / "memory.jsonl"
    store.write_text(store.read_text("utf-8").replace("eleven employees", "twelve employees"), "utf-8")
    items = cli.json("since")

    def fail(output: Output) -> None:
        raise BrokenPipeError

    with monkeypatch.context() as closed_pipe:
        closed_pipe.setattr(Output, "flush", fail)
        closed_pipe.setattr("memtui.cli._silence", lambda: None)
        assert cli("since", "--seen").code == 0
    assert cli.json("since") == items
    assert cli.json("since", "--seen") == items
    assert cli.json("since") == []
