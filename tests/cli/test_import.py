"""`memtui import`: shown first, added with --yes, undone at once (S-74)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memtui.memory.imported import ImportPreview
from memtui.workspace.workspace import Workspace
from tests.support.command_line import FOUNDER, Cli

NOTES = "## Town\n- The tram to the depot leaves at ten past\n- Goats eat oats\n- Goats eat oats\n"


def test_an_import_is_shown_added_and_undone(cli: Cli, here: Path) -> None:
    (here / "notes.md").write_text(NOTES)
    shown = cli("import", "notes.md")
    assert (shown.code, shown.out) == (
        0,
        "notes.md:4\tsame\tGoats eat oats\tAn earlier line says the same.\n",
    )
    assert "2 new" in shown.err
    assert "--yes" in shown.err
    assert cli("list", "goats").out == ""
    added = cli("import", "notes.md", "--yes")
    assert (added.code, added.out.splitlines()[-1][:31]) == (0, "Imported 2 memories to native. ")
    assert "Goats eat oats" in cli("list", "category:town").out
    again = cli("import", "notes.md", "--yes")
    assert again.code == 0
    assert "3 already there\nNothing was imported." in again.err
    (here / "secret.md").write_text("- Use postgres://bob:hunter2secret@db/prod\n")
    left = cli("import", "secret.md", "--yes").err
    assert "1 with a secret (to import it too: --take flagged)\nNothing was imported." in left
    assert cli("undo").code == 0
    assert cli("list", "category:town").out == ""
    assert (here / "notes.md").read_text() == NOTES


def test_json_and_standard_input(cli: Cli) -> None:
    lines = b"[2026-01-02] - Goats eat oats\nUse postgres://bob:hunter2secret@db/prod\n"
    shown = cli("import", "-", "--json", "--store", FOUNDER, stdin=lines).json
    assert shown["store"] == FOUNDER
    assert shown["counts"] == {
        "new": 1, "same": 0, "near": 0, "contradicting": 0, "flagged": 1, "refused": 0
    }  # fmt: skip
    (item,) = shown["items"]
    assert (item["source"], item["line"], item["verdict"], item["code"]) == ("-", 2, "flagged", "secret")
    assert "hunter2secret" not in item["label"]
    done = cli(
        "import", "-", "--json", "--yes", "--take", "near,flagged", "--store", FOUNDER, stdin=lines
    ).json
    assert (done["kind"], len(done["uids"]), done["skipped"]) == ("imported", 2, [])
    nothing = cli("import", "-", "--json", "--yes", "--store", FOUNDER, stdin=lines).json
    assert (nothing["uids"], nothing["counts"]["same"]) == ([], 2)


def test_nothing_of_several_files_is_imported_if_one_cannot_be_read(cli: Cli, here: Path) -> None:
    (here / "good.md").write_text("- Goats eat oats\n")
    (here / "bad.csv").write_bytes(b"content,tags\na\xff,b\n")
    refused = cli("import", "good.md", "bad.csv", "--yes")
    assert (refused.code, "bad.csv:2" in refused.err) == (1, True)
    assert cli("list", "goats").out == ""
    assert cli("import", "good.md", "--as", "nonsense").code == 2
    assert cli("import", "good.md", "--take", "all").code == 2
    assert cli("import", "good.md", "--store", "nowhere").code == 1


def test_an_import_that_another_one_has_made_by_now_adds_nothing_and_names_no_undo(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "notes.md").write_text(NOTES)
    judge = Workspace.import_preview

    def overtaken(workspace: Workspace, *args: Any) -> ImportPreview:
        preview = judge(workspace, *args)
        workspace.import_memories(preview.items, preview.store)
        return preview

    monkeypatch.setattr(Workspace, "import_preview", overtaken)
    late = cli("import", "notes.md", "--yes")
    assert (late.code, late.out.splitlines()[-1]) == (0, "Imported 0 memories to native.")


def test_of_many_fields_that_no_memory_has_a_few_are_named(cli: Cli, here: Path) -> None:
    names = ", ".join(f'"made up {number}": 1' for number in range(400))
    (here / "wide.jsonl").write_text('{"content": "Goats eat oats", ' + names + "}")
    shown = cli("import", "wide.jsonl")
    assert shown.err.count("Ignored the field made up") == 10
    assert "Ignored 390 more fields" in shown.err
    assert len(cli("import", "wide.jsonl", "--json").json["ignored"]) == 400
