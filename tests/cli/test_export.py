"""`memtui export`: what is printed, the budget, and files (S-70, S-71, S-73)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.tui.terminal import clipboard
from tests.support.command_line import CLAUDE, FOUNDER, Cli


def test_the_same_memories_give_the_same_text_within_the_budget(cli: Cli) -> None:
    first, second = cli("export", "--budget", "200"), cli("export", "--budget", "200")
    assert first.code == 0
    assert first.out == second.out != ""
    tokens = int(first.err.split(": ")[1].split(" of ")[0])
    assert 100 < tokens <= 200
    assert "(no room in the budget" in first.err


def test_a_budget_below_what_the_format_itself_takes_is_said(cli: Cli) -> None:
    small = cli("export", "--as", "profile", "--budget", "20")
    assert small.code == 0
    assert "The budget is too small: the format without any memory takes " in small.err
    assert "too small" not in cli("export", "--as", "profile", "--budget", "500").err


def test_pinned_memories_come_first(cli: Cli) -> None:
    uid = cli.json("list", "--limit", "40")[-1]["uid"]
    assert cli("pin", uid).code == 0
    assert cli("export").out.startswith("## Pinned\n")


def test_a_query_a_store_and_a_saved_search_narrow_the_export(cli: Cli) -> None:
    cli("saved", "add", "dates", "category:feedback")
    whole = cli("export", "--store", "claude-code:order-service").out
    saved = cli("export", "--saved", "dates").out
    assert 0 < len(saved) < len(whole)
    assert cli("export", "zebra crossing unheard of").out == ""


def test_a_file_is_written_for_its_owner_only_and_not_replaced_unasked(cli: Cli, here: Path) -> None:
    assert cli("export", "--budget", "100", "-o", "context.md").code == 0
    file = here / "context.md"
    before = file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    refused = cli("export", "-o", "context.md")
    assert refused.code == 1
    assert "--force" in refused.err
    assert file.read_bytes() == before
    assert cli("export", "-o", "context.md", "--force").code == 0
    assert len(file.read_bytes()) > len(before)
    assert [each.name for each in here.iterdir()] == ["context.md"]
    assert cli("export", "-o", "missing/context.md").code == 1


def test_nothing_is_written_over_the_workspace_or_into_a_store(cli: Cli, here: Path) -> None:
    office = here.parent / "office"
    memory, own = office / "order-service" / "memory", office / "demo" / "demo.db"
    places = {
        memory / "MEMORY.md": CLAUDE,
        memory / "new.md": CLAUDE,
        memory: CLAUDE,
        office / "larkfield" / ".memory" / "memory.db": FOUNDER,
        office / "larkfield" / ".memory" / "memory.db-wal": FOUNDER,
        own: "workspace",
        own.with_name("demo.db.backups") / "x": "workspace",
    }
    before = {path: path.read_bytes() for path in places if path.is_file() and path != own}
    assert len(before) == 2
    (here / "link").symlink_to(memory)
    for path, whose in (*places.items(), (Path("link/new.md"), CLAUDE)):
        refused = cli("export", "-o", str(path), "--force")
        assert (refused.code, "belongs to" in refused.err, whose in refused.err) == (1, True, True), path
    assert "belongs to" in cli("report", "-o", str(memory / "r.html")).err
    assert "belongs to" in cli("export", "--as", "cognitive", "-o", str(memory / "store")).err
    assert {path: path.read_bytes() for path in before} == before
    assert cli("export", "-o", str(memory.parent / "notes.md")).code == 0  # beside a store


def test_json_has_the_text_and_why_each_memory_is_in_or_out(cli: Cli, here: Path) -> None:
    packed = cli.json("export", "--budget", "200")
    assert packed["text"] == cli("export", "--budget", "200").out
    assert 100 < packed["tokens"] <= 200
    assert (packed["unit"], packed["over"]) == ("tokens", 0)
    assert packed["counter"]
    assert {"uid", "reason", "tokens"} == set(packed["included"][0])
    reasons = {each["reason"] for each in packed["left_out"]}
    assert "no-room" in reasons
    assert {"uid", "reason", "other", "tokens"} == set(packed["left_out"][0])
    written = cli.json("export", "--as", "jsonl", "-o", "all.jsonl")
    assert written["file"].endswith("all.jsonl")
    assert "text" not in written
    assert written["tokens"] is None
    assert len((here / "all.jsonl").read_text().splitlines()) == len(written["included"])


def test_json_lists_memories_as_list_does(cli: Cli) -> None:
    exported = json.loads(cli("export", "--as", "json", "category:feedback").out)
    assert exported == cli.json("list", "category:feedback")
    assert cli("export", "--as", "json", "-o", "-", "category:feedback").out.startswith("[\n{")


def test_a_new_store_of_a_format_says_what_that_cannot_hold(cli: Cli, here: Path) -> None:
    made = cli("export", "--as", "claude-code", "-o", "new", "store:founder*")
    assert made.code == 0, made.err
    assert "to a new Claude Code memory store: new/memory" in made.err
    assert "Not in this format: confidence of " in made.err
    before = {each: each.read_bytes() for each in here.rglob("*") if each.is_file()}
    assert cli("export", "--as", "claude-code", "-o", "new", "--force").code == 1
    assert {each: each.read_bytes() for each in here.rglob("*") if each.is_file()} == before
    whole = cli.json("export", "--as", "mem-skill", "-o", "mem.db", "store:founder*")
    assert whole["store"] == "mem.db"
    assert {"uid", "changed", "lost"} == set(whole["included"][0])
    assert whole["left_out"] == []
    assert cli("--workspace", "other.db", "stores", "attach", "mem.db").code == 0


def test_a_store_needs_a_path_and_no_budget(cli: Cli, here: Path) -> None:
    for words in (["--as", "minions"], ["--as", "minions", "-o", "-"], ["--as", "minions", "--clipboard"]):
        assert cli("export", *words).code == 2
    assert cli("export", "--as", "minions", "-o", "x", "--budget", "9").code == 2
    assert cli("export", "--clipboard", "-o", "x.md").code == 2
    assert list(here.iterdir()) == []


def test_a_copy_says_where_it_is(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []

    def copy(text: str) -> list[str]:
        copied.append(text)
        return ["the terminal's clipboard"]

    monkeypatch.setattr(clipboard, "copy", copy)
    result = cli("export", "--clipboard", "--budget", "100")
    assert (result.code, result.out) == (0, "")
    assert "to the terminal's clipboard: " in result.err
    assert copied == [cli("export", "--budget", "100").out]


def test_of_many_that_are_left_out_some_are_named(cli: Cli) -> None:
    errors = cli("export", "--budget", "100").err.splitlines()
    assert sum("Left out" in line for line in errors) == 11
    assert any(line.endswith("more. --json lists all.") for line in errors)


def test_what_would_be_taken_for_granted_is_said(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    uids = [each["uid"] for each in cli.json("list", "--limit", "12")]
    assert cli("pin", *uids).code == 0
    shown = cli("export", "--budget", "60").err
    assert "pinned, but no room in the budget" in shown
    assert "pinned memories don't fit: they need " in shown
    assert "not compared yet: contradictions and duplicates among them are unknown" in shown
    assert "not compared" not in cli("export", "--as", "jsonl").err, "it has them all"
    cli("contradictions", "scan")
    assert "not compared" not in cli("export").err
    assert "No memories match." in cli("export", "zebra crossing unheard of").err
    copied: list[str] = []
    monkeypatch.setattr(clipboard, "copy", copied.append)
    refused = cli("export", "--clipboard", "zebra crossing unheard of")
    assert (refused.code, copied) == (1, []), "the clipboard keeps what it has"
    assert "No memories to export." in refused.err


def test_a_new_store_keeps_relations_and_order_or_says_what_is_missing(cli: Cli, here: Path) -> None:
    lines = [
        {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["Speaks Dutch", "Away"]},
        {"type": "entity", "name": "Sync", "entityType": "bug", "observations": ["Open", "In v2", "Slow"]},
        {"type": "relation", "from": "Ana", "to": "Sync", "relationType": "owns"},
    ]  # fmt: skip
    (here / "graph.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert cli("--workspace", "w.db", "stores", "attach", "graph.jsonl").code == 0
    made = cli("--workspace", "w.db", "export", "--as", "mcp-memory", "-o", "new.jsonl")
    assert [json.loads(each) for each in (here / "new.jsonl").read_text().splitlines()] == lines
    assert "With 1 relation among them." in made.err
    assert "Not in " not in made.err, "their types and relations are all there"
    # A format of single memories cannot say which observation of an entity a relation is of.
    other = cli("--workspace", "w.db", "export", "--as", "cognitive", "-o", "cognitive")
    assert "Not in the new store: 1 relation among them." in other.err
    part = cli.json("--workspace", "w.db", "export", "--as", "mcp-memory", "-o", "part.jsonl", "Dutch")
    assert (part["relations"], part["relations_lost"]) == (0, 0)


def test_only_exact_and_near_duplicates_are_left_out(cli: Cli) -> None:
    text = "Brightwater pays invoices net 30; reminders go to Ines in accounts."
    cli("add", f"{text} Their warehouse is in Ghent.")
    cli("contradictions", "scan")
    assert cli.json("duplicates", "list")[0]["kind"] == "maybe"
    exported = cli("export", "Brightwater invoices")
    assert "Their warehouse is in Ghent." in exported.out
    assert text in exported.out.replace(f"{text} Their", "")
    assert "duplicate of" not in exported.err
    cli("add", text)
    cli("contradictions", "scan")
    assert "(duplicate of" in cli("export", "Brightwater invoices").err


def test_secrets_in_an_export_are_said(cli: Cli) -> None:
    uid = cli.json("add", "Use postgres://bob:hunter2secret@db/prod for it")["uids"][0]
    assert f"1 exported memory contains a secret: {uid}" in cli("export", "store:native").err
    assert cli.json("export", "store:native")["secrets"] == [uid]
    assert cli.json("export", "store:native", "--as", "jsonl")["secrets"] is None
    assert "secret" not in cli("export", "store:claude*").err
