"""`memtui report`: the file, its query, and what is refused (S-75)."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Cli
from tests.support.html_page import parse


def test_a_file_is_written_for_its_owner_only_and_not_replaced_unasked(cli: Cli, here: Path) -> None:
    made = cli("report", "-o", "report.html")
    assert (made.code, made.out) == (0, "")
    assert "Wrote a report on " in made.err
    file = here / "report.html"
    before = file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    refused = cli("report", "-o", "report.html")
    assert refused.code == 1
    assert "--force" in refused.err
    assert file.read_bytes() == before
    narrowed = cli.json("report", "category:feedback", "-o", "report.html", "--force")
    count = len(cli.json("list", "category:feedback"))
    assert narrowed == {"file": "report.html", "memories": count, "bytes": file.stat().st_size}
    root = parse(file.read_text("utf-8"))
    assert f"category:feedback: {count} memories" in root.one("p", **{"class": "query"}).text
    assert [each.name for each in here.iterdir()] == ["report.html"]
    assert cli("report", "-o", "missing/report.html").code == 1
    assert cli("report").code == 2
    printed = cli("report", "category:feedback", "-o", "-")
    assert parse(printed.out).one("p", **{"class": "query"}).text.endswith(f": {count} memories")
    whole = cli.json("report", "category:feedback", "-o", "-")
    assert (whole["file"], whole["memories"]) == (None, count)
    assert len(whole["html"].encode()) == whole["bytes"]
    assert cli("report", "category:", "status:nonsense", "-o", "other.html").code != 0
    assert [each.name for each in here.iterdir()] == ["report.html"]


def test_a_workspace_without_memories_has_a_page_too(bare: Cli, here: Path) -> None:
    assert bare("report", "-o", "empty.html").code == 0
    assert "memtui stores discover" in parse((here / "empty.html").read_text("utf-8")).one("body").text
