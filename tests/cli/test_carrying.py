"""copy, move, relate, unrelate and stores create (S-82)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import FOUNDER, MCP, Cli

CHANGE = {"kind", "summary", "journal", "uids", "skipped"}


def graph(demo_database: Path) -> bytes:
    return (demo_database.parents[1] / "assistant" / "memory.jsonl").read_bytes()


def test_copy_tells_what_the_store_cannot_hold(cli: Cli, demo_database: Path) -> None:
    before = graph(demo_database)
    one = cli.uid("francs")
    ran = cli("copy", one, "--to", MCP, "--dry-run")
    assert ran.code == 0
    assert "kept in memtui alone: key" in ran.out
    assert "Nothing was changed." in ran.err
    assert graph(demo_database) == before
    done = cli.json("copy", one, "--to", MCP)
    assert set(done) == {*CHANGE, "carried"}
    (told,) = done["carried"]
    assert set(told) == {"uid", "copy", "label", "changed", "kept", "lost"}
    assert (told["uid"], [told["copy"]]) == (one, done["uids"])
    assert cli.memory(told["copy"])["content"] == cli.memory(one)["content"]
    assert b"francs" in graph(demo_database)
    assert cli("undo").code == 0
    assert graph(demo_database) == before


def test_move_and_undo(cli: Cli, demo_database: Path) -> None:
    before = graph(demo_database)
    one = cli.uid("nuts")
    ran = cli("move", one, "--to", FOUNDER)
    assert ran.code == 0
    assert "Moved 1 memory to founder-os:larkfield (memory.db)" in ran.out
    assert b"nuts" not in graph(demo_database)
    assert cli.memory(cli.uid("nuts"))["store"] == FOUNDER
    assert cli("undo").code == 0
    assert graph(demo_database) == before
    assert cli.uid("nuts") == one


def test_what_cannot_be_carried_exits_with_1_and_changes_nothing(cli: Cli, demo_database: Path) -> None:
    before = graph(demo_database)
    one = cli.uid("nuts")
    assert cli("copy", one, "--to", MCP).code == 1
    assert cli("copy", one, "--to", "elsewhere").code == 1
    assert cli("copy", one).code == 2
    refused = cli("--json", "--read-only", "move", one, "--to", FOUNDER)
    assert (refused.code, refused.error["code"]) == (1, "read-only")
    assert graph(demo_database) == before


def test_relate_unrelate_and_supersede(cli: Cli) -> None:
    one, other = cli.uid("nuts"), cli.uid("francs")
    done = cli.json("relate", one, "supports", other, "--strength", "0.4", "--context", "both of Bo")
    assert done["kind"] == "related"
    (relation,) = [r for r in cli.memory(other)["relations"] if r["kept"]]
    assert (relation["kind"], relation["strength"], relation["context"]) == ("supports", 0.4, "both of Bo")
    assert "supports" in cli("show", one).out
    assert cli("relate", one, "supports", other).code == 1
    assert cli("unrelate", one, "supports", other).code == 0
    assert cli("unrelate", one, "supports", other).code == 1
    assert cli.json("relate", one, "supersedes", other)["kind"] == "superseded"
    memory = cli.memory(other)
    assert (memory["status"], memory["superseded_by"]) == ("dismissed", one)
    assert cli("undo").code == 0
    assert cli.memory(other)["superseded_by"] is None


@pytest.mark.parametrize(
    ("format", "place", "made"),
    [
        ("founder-os", "new.db", "new.db"),
        ("founder-os", ".", ".memory/memory.db"),
        ("claude-code", "notes", "notes/memory"),
        ("mcp-memory", ".", "memory.jsonl"),
    ],
)
def test_a_store_is_made_attached_and_used(cli: Cli, here: Path, format: str, place: str, made: str) -> None:
    info = cli.json("stores", "create", format, place, "--name", "fresh")
    assert (info["format"], info["name"], info["count"]) == (format, "fresh", 0)
    assert Path(info["path"]) == here / made
    assert not list(here.rglob("*-wal"))
    assert all(file.stat().st_mode & 0o077 == 0 for file in (here / made).parent.glob("*.db"))
    ran = cli("stores", "create", format, place)
    assert ran.code == 1
    assert "already" in ran.err
    added = cli.json("add", "Tea at four.", "--store", "fresh", "--subject", "tea", "--title", "Tea")
    assert cli.memory(added["uids"][0])["content"] == "Tea at four."
    assert cli.json("doctor") is not None


def test_a_store_of_no_known_format_or_place_is_not_made(cli: Cli, here: Path) -> None:
    ran = cli("stores", "create", "notion", "x")
    assert ran.code == 1
    assert "There is no format “notion”" in ran.err
    (here / "file").write_text("x")
    assert cli("stores", "create", "founder-os", "file/x.db").code == 1
    assert cli("stores", "create", "mcp-memory", "other.jsonl").code == 1
    assert [each.name for each in here.iterdir()] == ["file"]
