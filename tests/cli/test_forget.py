"""`memtui forget`: by uid, by owner and key, or a whole store (S-106)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_changes import mcp_text
from tests.support.command_line import MCP, Cli
from tests.support.sizes import shard


@pytest.mark.parametrize("query", shard(["nuts", "net 30", "db-2", "mocked migration"], 0, 2))
def test_forget_restore_and_undo_in_every_kind_of_store(cli: Cli, query: str) -> None:
    uid = cli.uid(query)
    result = cli("forget", uid)
    assert (result.code, result.out[:16]) == (0, "Forgot 1 memory ")
    assert [memory["uid"] for memory in cli.json("list", "is:removed")] == [uid]
    assert cli.json("restore", uid)["kind"] == "restored"
    assert cli.json("list", "is:removed") == []
    assert cli("undo").code == 0
    assert cli("undo").out.startswith("Undone: Forgot 1 memory ")
    assert cli.json("list", "is:removed") == []


def test_forget_by_owner_and_key(cli: Cli) -> None:
    mine = cli.json("add", "Likes tea", "--owner", "scout", "--key", "drink")["uids"]
    cli.json("add", "Likes milk", "--owner", "butler", "--key", "drink")
    assert cli.json("forget", "--owner", "scout", "--key", "drink")["uids"] == mine
    nobody = cli("forget", "--owner", "nobody", "--key", "drink", "--json")
    assert (nobody.code, nobody.error["code"]) == (1, "nothing")


def test_a_whole_store_is_forgotten_with_yes_and_put_back_with_one_undo(
    cli: Cli, demo_database: Path
) -> None:
    before, count = mcp_text(demo_database), len(cli.json("list", f"store:{MCP}"))
    assert cli.json("forget", "--store", MCP) == {"count": count}
    result = cli("forget", "--store", MCP)
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith(f"{count} memories to forget. Nothing was changed")
    assert mcp_text(demo_database) == before
    assert len(cli.json("forget", "--store", MCP, "--yes")["uids"]) == count
    entities = [json.loads(line) for line in mcp_text(demo_database).splitlines()]
    assert not any(each.get("observations") for each in entities)
    assert cli("undo").code == 0
    assert mcp_text(demo_database) == before


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--owner", "scout"),
        ("--key", "drink"),
        ("7k3m", "--store", MCP),
        ("--store", MCP, "--key=x", "--owner=y"),
    ],
)
def test_what_to_forget_is_named_in_one_way(cli: Cli, words: tuple[str, ...]) -> None:
    result = cli("forget", *words)
    assert result.code == 2
    assert result.err.startswith("memtui forget: specify ")
