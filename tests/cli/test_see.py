"""`memtui see`: the exact text, what was left out, and what a change made of it (S-72)."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import CLAUDE, FOUNDER, MCP, Cli
from tests.support.stores import claude_code
from tests.support.stores.claude_code import flat
from tests.support.stores.files import read_tree


def test_the_text_is_printed_as_it_is_and_the_rest_named_beside_it(cli: Cli, here: Path) -> None:
    cli("list")
    before = read_tree(here.parent / "office" / "order-service")
    seen = cli("see", CLAUDE)
    assert seen.code == 0
    index = before["memory/MEMORY.md"].decode()
    assert seen.out == index.strip()
    assert "Claude Code is given" in seen.err
    assert cli("see", "claude-code").out == seen.out
    assert read_tree(here.parent / "office" / "order-service") == before


def test_json_has_the_text_its_memories_and_what_was_left_out(cli: Cli) -> None:
    seen = cli.json("see", FOUNDER)
    assert (seen["client"], seen["limits"]["items"]) == ("founder-os", 5)
    assert [seen["text"][each["start"] : each["end"]] for each in seen["memories"]] == seen[
        "text"
    ].splitlines()[1:]
    assert all(each["uid"] for each in seen["memories"])
    assert {"unconfirmed", "not-asked"} <= {each["code"] for each in seen["cut"]}
    assert seen["unit"] == "tokens"
    assert cli.json("see", "mcp-memory")["client"] is None


def test_a_task_changes_what_founder_os_is_given(cli: Cli) -> None:
    text = cli("see", FOUNDER, "--about", "invoices of Brightwater").out
    assert "Brightwater pays invoices" in text
    assert text != cli("see", FOUNDER).out


def test_a_store_that_loads_nothing_says_what_its_agent_does(cli: Cli) -> None:
    seen = cli("see", MCP)
    assert (seen.code, seen.out) == (0, "")
    assert "search_nodes" in seen.err
    assert cli("see", "nobody").code == 1


def test_an_agent_sees_what_its_policies_let_it(bare: Cli) -> None:
    for agent, scope in (("ada", "private"), ("ada", "fleet"), ("bob", "private"), ("bob", "fleet")):
        bare("add", f"The {scope} kettle of {agent} is old.", "--as", agent, "--scope", scope)
    seen = bare("see", "ada")
    assert "private kettle of ada" in seen.out
    assert "private kettle of bob" not in seen.out
    assert "Left out: 1 memory that ada may not read." in seen.err
    assert "memtui gives ada 3 memories at session start" in seen.err
    bare("policies", "set", "ada", "--read", "private")
    lines = len(bare.json("journal"))
    narrowed = bare.json("see", "ada")
    given = {each["content"] for each in bare.json("recall", "kettle", "--as", "ada")["memories"]}
    assert given == {"The private kettle of ada is old."}
    assert ([len(narrowed["memories"]), narrowed["hidden"]], narrowed["agent"]) == ([1, 3], "ada")
    assert "fleet" not in narrowed["text"]
    bare("policies", "set", "ada", "--read", "none")
    silent = bare("see", "ada")
    assert (silent.code, silent.out) == (0, "")
    assert "memtui gives ada nothing at session start" in silent.err
    assert len(bare.json("journal")) == lines + 1, "a person who looks is no agent that asks"
    assert bare("see", "nobody").code == 1


def test_an_agent_that_has_the_name_of_its_program_is_seen_where_no_store_is_meant(bare: Cli) -> None:
    bare("add", "The kettle is old.", "--as", "claude-code")
    assert "The kettle is old." in bare("see", "claude-code").out


def test_the_difference_a_change_makes(cli: Cli) -> None:
    view = cli.json("see", CLAUDE)
    first = view["memories"][0]
    dismissed = cli("dismiss", first["uid"])
    assert dismissed.code == 0
    assert dismissed.out.splitlines()[1] == "Claude Code no longer sees it"
    entry = cli.json("journal")[0]["id"]
    seen = cli("see", CLAUDE, "--diff", str(entry))
    assert seen.code == 0
    assert f"-{view['text'][first['start'] : first['end']]}\n" in seen.out
    assert "no longer sees 1 memory" in seen.err
    assert f"No longer seen: {first['uid']} " in seen.err
    assert cli.json("see", CLAUDE, "--diff", str(entry))["lost"] == [first["uid"]]
    other = cli("see", FOUNDER, "--diff", str(entry))
    assert other.code == 1
    assert "changed nothing in" in other.err
    undone = cli.json("undo")
    assert undone["agents"] == [
        {"agent": "Claude Code", "lost": 0, "gained": 1, "pushed_out": 0, "let_in": 0}
    ]


def test_of_many_contradictions_in_the_text_some_are_named(cli: Cli, here: Path) -> None:
    folder = here / "deploys" / "memory"
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
    files = {f"{day}.md": flat(day, "project", f"Deploys happen on {day}.") for day in days}
    claude_code.make(folder, {"MEMORY.md": "".join(f"- [{day}]({day}.md) — when\n" for day in days), **files})
    cli("stores", "attach", str(folder))
    cli("contradictions", "scan")
    named = [line for line in cli("see", "claude-code:deploys").err.splitlines() if "In this text" in line]
    assert len(named) == 11
    assert named[-1] == "In this text, 5 more contradictions or duplicates. --json lists all."


def test_a_task_that_changes_nothing_is_said_to_be_ignored(cli: Cli) -> None:
    assert "--about is ignored" in cli("see", "claude-code", "--about", "x").err
    assert "--about is ignored" not in cli("see", "claude-code").err
    assert "--about is ignored" not in cli("see", "founder-os", "--about", "x").err


def test_a_name_that_no_database_can_hold_is_no_store(cli: Cli) -> None:
    for words in (
        ("see", "\ud800"),
        ("decay", "preview", "--store", "\ud800"),
        ("add", "x", "--store", "\ud800"),
    ):
        result = cli(*words)
        assert result.code == 1
        assert "Unexpected" not in result.err


def test_only_a_line_feed_ends_a_line_of_a_difference(cli: Cli) -> None:
    uid = cli.json("list", f"store:{FOUNDER} calls")[0]["uid"]
    assert cli("edit", uid, "--content", "No calls\u2028- [fact] before\x0cten.").code == 0
    entry = cli.json("journal")[0]["id"]
    added = [line for line in cli("see", FOUNDER, "--diff", str(entry)).out.split("\n") if line[:1] == "+"]
    assert len(added) == 1
    assert "calls\u2028- [fact] before\x0cten." in added[0]
