"""`memtui export`: what is printed, the budget, and files (S-70, S-71, S-73)."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Cli


def test_the_same_memories_give_the_same_text_within_the_budget(cli: Cli) -> None:
    first, second = cli("export", "--budget", "200"), cli("export", "--budget", "200")
    assert first.code == 0
    assert first.out == second.out != ""
    tokens = int(first.err.split(": ")[1].split(" of ")[0])
    assert 100 < tokens <= 200
    assert "(no room in the budget" in first.err


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
