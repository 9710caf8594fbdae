"""copy, move, relate, unrelate and stores create (S-82)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import FOUNDER, MCP, Cli

CHANGE = {"kind", "summary", "journal", "uids", "skipped"}


def graph_file(demo_database: Path) -> bytes:
    return (demo_database.parents[1] / "assistant" / "memory.jsonl").read_bytes()


def test_copy_lists_fields_that_the_store_cannot_hold(cli: Cli, demo_database: Path) -> None:
    before = graph_file(demo_database)
    uid = cli.uid("francs")
    result = cli("copy", uid, "--to", MCP, "--dry-run")
    assert result.code == 0
    assert "kept only in memtui: key" in result.out
    assert "Nothing was changed." in result.err
    assert graph_file(demo_database) == before
    change = cli.json("copy", uid, "--to", MCP)
    assert set(change) == {*CHANGE, "carried"}
    (transfer,) = change["carried"]
    assert set(transfer) == {"uid", "copy", "label", "changed", "kept", "lost"}
    assert (transfer["uid"], [transfer["copy"]]) == (uid, change["uids"])
    assert cli.memory(transfer["copy"])["content"] == cli.memory(uid)["content"]
    assert b"francs" in graph_file(demo_database)
    assert cli("undo").code == 0
    assert graph_file(demo_database) == before


def test_move_and_undo(cli: Cli, demo_database: Path) -> None:
    before = graph_file(demo_database)
    uid = cli.uid("nuts")
    result = cli("move", uid, "--to", FOUNDER)
    assert result.code == 0
    assert "Moved 1 memory to founder-os:larkfield (memory.db)" in result.out
    assert b"nuts" not in graph_file(demo_database)
    assert cli.memory(cli.uid("nuts"))["store"] == FOUNDER
    assert cli("undo").code == 0
    assert graph_file(demo_database) == before
    assert cli.uid("nuts") == uid


def test_a_refused_transfer_exits_with_1_and_changes_nothing(cli: Cli, demo_database: Path) -> None:
    before = graph_file(demo_database)
    uid = cli.uid("nuts")
    assert cli("copy", uid, "--to", MCP).code == 1
    assert cli("copy", uid, "--to", "elsewhere").code == 1
    assert cli("copy", uid).code == 2
    refused = cli("--json", "--read-only", "move", uid, "--to", FOUNDER)
    assert (refused.code, refused.error["code"]) == (1, "read-only")
    assert graph_file(demo_database) == before


def test_relate_unrelate_and_supersede(cli: Cli) -> None:
    uid, other = cli.uid("nuts"), cli.uid("francs")
    change = cli.json("relate", uid, "supports", other, "--strength", "0.4", "--context", "both of Bo")
    assert change["kind"] == "related"
    (relation,) = [r for r in cli.memory(other)["relations"] if r["kept"]]
    assert (relation["kind"], relation["strength"], relation["context"]) == ("supports", 0.4, "both of Bo")
    assert "supports" in cli("show", uid).out
    assert cli("relate", uid, "supports", other).code == 1
    assert cli("unrelate", uid, "supports", other).code == 0
    assert cli("unrelate", uid, "supports", other).code == 1
    assert cli.json("relate", uid, "supersedes", other)["kind"] == "superseded"
    memory = cli.memory(other)
    assert (memory["status"], memory["superseded_by"]) == ("dismissed", uid)
    assert cli("undo").code == 0
    assert cli.memory(other)["superseded_by"] is None


@pytest.mark.parametrize(
    ("format", "place", "created"),
    [
        ("founder-os", "new.db", "new.db"),
        ("founder-os", ".", ".memory/memory.db"),
        ("claude-code", "notes", "notes/memory"),
        ("mcp-memory", ".", "memory.jsonl"),
    ],
)
def test_a_created_store_is_attached_and_usable(
    cli: Cli, here: Path, format: str, place: str, created: str
) -> None:
    info = cli.json("stores", "create", format, place, "--name", "fresh")
    assert (info["format"], info["name"], info["count"]) == (format, "fresh", 0)
    assert Path(info["path"]) == here / created
    assert not list(here.rglob("*-wal"))
    assert all(file.stat().st_mode & 0o077 == 0 for file in (here / created).parent.glob("*.db"))
    result = cli("stores", "create", format, place)
    assert result.code == 1
    assert "already" in result.err
    added = cli.json("add", "Tea at four.", "--store", "fresh", "--subject", "tea", "--title", "Tea")
    assert cli.memory(added["uids"][0])["content"] == "Tea at four."
    assert cli.json("doctor") is not None


def test_create_refuses_unknown_formats_and_invalid_paths(cli: Cli, here: Path) -> None:
    result = cli("stores", "create", "notion", "x")
    assert result.code == 1
    assert "Unknown format “notion”" in result.err
    (here / "file").write_text("x")
    assert cli("stores", "create", "founder-os", "file/x.db").code == 1
    assert cli("stores", "create", "mcp-memory", "other.jsonl").code == 1
    assert [each.name for each in here.iterdir()] == ["file"]


def test_a_relation_with_an_undecodable_kind_is_not_found(bare: Cli, tmp_path: Path) -> None:
    place = tmp_path / "memory.jsonl"
    entities = [{"type": "entity", "name": name, "entityType": "x", "observations": [name]} for name in "AB"]
    place.write_text("\n".join(map(json.dumps, entities)))
    bare("stores", "attach", str(place))
    uid, other = (each["uid"] for each in bare.json("list", "--json"))
    for command in (
        ["edit-relation", uid, "\ud800", other, "--to", "knows"],
        ["unrelate", uid, "\ud800", other],
    ):
        assert bare(*command, "--json").error["code"] == "no-relation"


def test_a_store_created_beside_another_one_is_the_one_reported(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "memory.jsonl").touch()
    created = bare.json("stores", "create", "cognitive", str(tmp_path / "both"), "--json")
    assert created["format"] == "cognitive"
    assert [each["format"] for each in bare.json("stores", "--json")] == ["native", "cognitive"]
