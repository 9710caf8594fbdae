"""Each command gives one answer, and takes each value as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.cli.parser import options
from memtui.cli.runtime.output import Output
from tests.support.command_line import Cli


def test_since_that_may_not_mark_anything_as_seen_prints_only_that(cli: Cli) -> None:
    ran = cli("since", "--seen", "--read-only", "--json")
    assert (ran.code, ran.error["code"]) == (1, "read-only")


def test_since_tells_a_change_of_ours_that_was_overwritten(bare: Cli, tmp_path: Path) -> None:
    place = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Bo", "entityType": "x", "observations": ["Likes tea"]}
    place.write_text(read := json.dumps(entity))
    bare("stores", "attach", str(place))
    (bo,) = bare.json("list", "--json")
    bare("edit", bo["uid"], "--content", "Likes ink")
    place.write_text(read)
    (item,) = bare.json("since", "--json")
    assert (item["uid"], item["what"], item["overwritten"]) == (bo["uid"], "changed", True)
    assert "overwritten" in bare("since").out
    bare("undo", str(item["line"]))
    assert "Likes ink" in place.read_text()


def test_since_marks_as_seen_what_it_printed_and_nothing_else(
    cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = demo_database.parents[1] / "assistant" / "memory.jsonl"
    store.write_text(store.read_text("utf-8").replace("eleven employees", "twelve employees"), "utf-8")
    told = cli.json("since")

    def leave(output: Output) -> None:
        raise BrokenPipeError

    with monkeypatch.context() as reader:
        reader.setattr(Output, "flush", leave)
        reader.setattr("memtui.cli._silence", lambda: None)
        assert cli("since", "--seen").code == 0
    assert cli.json("since") == told
    assert cli.json("since", "--seen") == told
    assert cli.json("since") == []


def test_two_dashes_are_a_value_like_any_other() -> None:
    parser = options.Parser()
    parser.add_argument("--title")
    parser.add_argument("--tag", action="append")
    parser.add_argument("uids", nargs="*")
    given = parser.parse_args(["--title=--", "--tag=--", "--tag=a", "--", "--uid"])
    assert (given.title, given.tag, given.uids) == ("--", ["--", "a"], ["--uid"])


def test_a_relation_that_no_store_can_hold_is_not_there(bare: Cli, tmp_path: Path) -> None:
    place = tmp_path / "memory.jsonl"
    entities = [{"type": "entity", "name": name, "entityType": "x", "observations": [name]} for name in "AB"]
    place.write_text("\n".join(map(json.dumps, entities)))
    bare("stores", "attach", str(place))
    one, other = (each["uid"] for each in bare.json("list", "--json"))
    for command in (["retie", one, "\ud800", other, "--to", "knows"], ["unrelate", one, "\ud800", other]):
        assert bare(*command, "--json").error["code"] == "no-relation"


def test_a_new_store_in_a_folder_with_another_one_is_the_one_that_is_told(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "memory.jsonl").touch()
    made = bare.json("stores", "create", "cognitive", str(tmp_path / "both"), "--json")
    assert made["format"] == "cognitive"
    assert [each["format"] for each in bare.json("stores", "--json")] == ["native", "cognitive"]
