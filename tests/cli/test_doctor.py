"""memtui doctor: what it prints, and its exit codes (S-3, S-82, S-91)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import MCP, Cli
from tests.support.corruption import overwrite_pages, page_numbers


@pytest.fixture(autouse=True)
def private(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Make all files private, so that the doctor does not report that others can read them."""
    if "demo_database" in request.fixturenames:
        request.getfixturevalue("demo_database")
    for file in tmp_path.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)


def test_a_healthy_workspace(cli: Cli) -> None:
    result = cli("doctor")
    assert result.code == 0
    assert result.out.startswith("SQLite 3.")
    assert "No problems found." in result.out
    report = cli.json("doctor")
    assert (report["verdict"], report["findings"], report["mended"]) == ("well", [], [])


def test_an_issue_is_printed_with_its_consequence_and_repair(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "order-service" / "memory" / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    cli("list")
    result = cli("doctor")
    assert result.code == 0
    assert "1 warning; --fix repairs 1." in result.out
    assert "find this memory only if they happen to open the file" in result.out
    assert "--fix adds its line to MEMORY.md" in result.out
    assert "MEMORY.md, " not in result.out.splitlines()[0]
    fixed = cli("doctor", "--fix")
    assert fixed.code == 0
    assert "No problems found." in fixed.out
    assert "Listed lonely.md in MEMORY.md. To undo: memtui undo" in fixed.out


def test_a_grave_issue_exits_with_1(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "assistant" / "memory.jsonl").unlink()
    result = cli("doctor")
    assert result.code == 1
    assert f"error  {MCP}" in result.out
    result = cli("--json", "doctor")
    assert result.code == 1
    assert result.json["verdict"] == "grave"
    (grave,) = [each for each in result.json["findings"] if each["grave"]]
    assert set(grave) == {"store", "code", "place", "words", "meaning", "mend", "grave"}


def test_hostile_names_are_printed_safely(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    relation = {"type": "relation", "from": "\x1b]52;c;x\x07", "to": "[/red]", "relationType": "knows"}
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(relation), "utf-8")
    result = cli("doctor")
    assert "\x1b" not in result.out
    assert "[/red]" in result.out


def test_a_damaged_workspace_can_be_salvaged(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    before = {each["content"] for each in cli.json("list")}
    overwrite_pages(demo_database, page_numbers(demo_database, "memories")[1])
    result = cli("doctor")
    assert result.code == 1
    assert "--salvage NEW" in result.out
    damaged = demo_database.read_bytes()
    refused = cli("add", "No.")
    assert refused.code == 1
    assert "--salvage" in refused.err
    target = tmp_path / "saved" / "w.db"
    report = cli.json("doctor", "--salvage", str(target))
    assert set(report) == {"target", "saved", "lost", "words"}
    assert report["lost"]["memories"] > 0
    assert demo_database.read_bytes() == damaged
    saved = cli.json("list", "--workspace", str(target))
    assert {each["content"] for each in saved} == before
    again = cli("doctor", "--salvage", str(target))
    assert again.code == 1
    assert "already exists" in again.err
    demo_database.write_bytes(b"\0" * 60 + damaged[60:])
    assert cli("list").code == 1
    result = cli("doctor", "--salvage", str(tmp_path / "second.db"))
    assert result.code == 0
    assert "Recovered into" in result.out
