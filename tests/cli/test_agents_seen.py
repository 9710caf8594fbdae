"""What agents did, on the command line: journal, since, stats and the store they write to (S-50, S-84)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.workspace.search.recall import Caller
from memtui.workspace.workspace import Workspace
from tests.support.command_line import Cli

SESSION = "3f2a91c0-5d1e-4b7a"


@pytest.fixture
def called(bare: Cli, here: Path) -> Path:
    """A workspace in which scout has called twice; the path of its database."""
    path = Path(bare.json("stats")["workspace"])
    with_calls = Workspace.open(path)
    with with_calls.calling("memory_store", SESSION):
        with_calls.remember("scout", {"content": "The kettle is new."})
    with with_calls.calling("memory_recall", "77aa"):
        with_calls.recall("kettle", Caller("scout"))
        with_calls.recall("zebra", Caller("scout"))
    with_calls.remember("ada", {"content": "The bus is late."})
    with_calls.close()
    return path


def test_the_journal_and_since_name_agent_tool_and_session(bare: Cli, called: Path) -> None:
    ada, scout = bare.json("journal")
    assert (scout["actor"], scout["tool"], scout["session"]) == ("agent:scout", "memory_store", SESSION)
    assert (ada["actor"], ada["tool"], ada["session"]) == ("agent:ada", "", "")
    by_scout, by_ada = sorted(bare("journal").out.splitlines(), key=lambda line: "ada" in line)
    assert by_scout.endswith("The kettle is new. (by memory_store, session 3f2a91c0…)")
    assert by_ada.endswith("The bus is late.")
    assert bare.json("journal", "--as", "scout") == [scout]
    assert bare.json("journal", "--session", "3f2a") == [scout]
    assert bare.json("journal", "--as", "ada", "--session", "3f2a") == []
    assert "No such changes" in bare("journal", "--session", "none").err
    assert bare("journal", "--as", "*").code == 1
    new = {each["label"]: each for each in bare.json("since")}
    assert new["The kettle is new."]["session"] == SESSION
    assert new["The bus is late."]["actor"] == "agent:ada"
    assert any(
        line.split("\t")[2:]
        == ["added", "agent scout", "The kettle is new. (by memory_store, session 3f2a91c0…)"]
        for line in bare("since").out.splitlines()
    )


def test_stats_tell_of_all_agents_and_of_one(bare: Cli, called: Path) -> None:
    stats = bare.json("stats")
    assert {**stats["recall"], "p50_ms": 0, "p95_ms": 0} == {
        "writes": 2, "refusals": 0, "recalls": 2, "answered": 1, "hit_rate": 0.5, "p50_ms": 0, "p95_ms": 0,
    }  # fmt: skip
    assert 0 < stats["recall"]["p50_ms"] <= stats["recall"]["p95_ms"]
    ada, scout = stats["agents"]
    assert (ada["agent"], ada["hit_rate"], ada["p50_ms"], ada["overtaken"]) == ("ada", None, None, 0)
    assert (scout["tool"], scout["session"], scout["overtaken"]) == ("memory_recall", "77aa", 0)
    rows = {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in bare("stats").out.splitlines()}
    assert rows["agent", "scout"].startswith("1 write, 2 recalls, 50% answered, p50 ")
    assert rows["agent", "ada"] == "1 write, 0 recalls"

    (kettle,) = [each for each in bare.json("list") if each["owner"] == "scout"]
    bare("dismiss", kettle["uid"])
    told = bare.json("stats", "--as", "scout")
    (gone,) = told["overtaken"]
    assert (gone["uid"], gone["why"], gone["other"]) == (kettle["uid"], "dismissed", None)
    assert told["recalls"] == 2
    shown = bare("stats", "--as", "scout").out
    assert "answered\t1 of 2 (50%)" in shown
    assert f"dismissed since\t{kettle['uid']}\tThe kettle is new." in shown
    assert "1 memory given that no longer holds" in bare("stats").out
    assert bare("stats", "--as", "nobody").out.endswith("last call\tno calls yet\n")


def test_connections_list_the_agents_that_call_without_one(bare: Cli, called: Path) -> None:
    bare("connect", "cursor", "--as", "scout", "--yes")
    scout, ada = bare.json("connections")
    assert (scout["agent"], scout["state"], scout["writes"], scout["recalls"]) == ("scout", "connected", 1, 2)
    assert (ada["agent"], ada["client"], ada["file"], ada["state"], ada["at"]) == (
        "ada",
        "",
        None,
        "none",
        None,
    )
    assert "\tada\tno connection\t1 write, 0 recalls\t" in bare("connections").out


def test_an_agent_writes_to_the_store_of_its_policy(bare: Cli, here: Path, tmp_path: Path) -> None:
    notes = tmp_path / "team" / "memory.jsonl"
    notes.parent.mkdir()
    notes.write_text(
        json.dumps({"type": "entity", "name": "Bo", "entityType": "x", "observations": ["Eats"]})
    )
    bare("stores", "attach", str(notes), "--name", "team")
    refused = bare("policies", "set", "scout", "--store", "nowhere", "--json")
    assert (refused.code, refused.error["code"]) == (1, "no-store")
    assert bare("policies", "set", "scout", "--store", "team").code == 0
    assert bare.json("policies", "list")["policies"][0]["writes_to"] == "team"
    assert "to team" in bare("policies", "list").out
    added = bare.json("add", "Goats eat oats", "--as", "scout", "--subject", "Goat")
    assert "Goats eat oats" in notes.read_text()
    assert bare.json("show", added["uid"])["store"] == "team"
    bare("add", "Sheep eat hay", "--as", "scout", "--store", "native")
    bare("add", "Bees eat honey")
    assert not {"Sheep eat hay", "Bees eat honey"} & set(notes.read_text().split('"'))

    bare("rules", "export", "-o", "rules.toml")
    assert 'store = "team"' in Path("rules.toml").read_text()
    bare("policies", "remove", "scout")
    assert bare("rules", "import", "rules.toml", "--yes").code == 0
    assert bare.json("policies", "list")["policies"][0]["writes_to"] == "team"
    project = here / ".memtui" / "rules.toml"
    project.parent.mkdir(exist_ok=True)
    project.write_text('[[policy]]\nagent = "scout"\nstore = "team"\n')
    asked = bare("rules", "trust", str(project))
    assert "can't say which store an agent writes to" in asked.out + asked.err
    project.unlink()

    bare("stores", "detach", "team")
    gone = bare("add", "Cows eat grass", "--as", "scout")
    assert gone.code == 1
    assert "team, the store that scout writes to, is not attached." in gone.err
