"""What the doctor finds in stores is in the Inbox, one line a kind, until it is repaired (S-52, S-91)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memtui.memory.inbox.items import STORE, InboxItem
from memtui.workspace.workspace import Workspace
from tests.support.stores import claude_code


class Checked:
    """A workspace with a store whose memory files lack their lines in MEMORY.md."""

    def __init__(self, path: Path) -> None:
        files = {f"note_{n}.md": claude_code.flat(f"note_{n}", "project", f"Fact {n}.") for n in range(3)}
        self.now = 1_763_000_000.0
        self.folder = claude_code.make(path / "notes", files).root
        self.workspace = Workspace.open(path / "w.db", clock=lambda: self.now)
        self.workspace.attach(self.folder, "notes")

    def findings(self) -> dict[str, InboxItem]:
        self.workspace.check_stores()
        return {each.code: each for each in self.workspace.inbox().items if each.kind == STORE}

    def bytes(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture
def checked(tmp_path: Path) -> Iterator[Checked]:
    found = Checked(tmp_path)
    with closing(found.workspace):
        yield found


def test_findings_are_repaired_as_one_change_and_undone(checked: Checked) -> None:
    before, workspace = checked.bytes(), checked.workspace
    item = checked.findings()["no-line"]
    assert (item.count, item.data["repairable"]) == (3, 3)
    (said,) = workspace.repair(workspace.repairable("notes", "no-line"))
    assert said.startswith("Listed 3 files in MEMORY.md")
    assert "no-line" not in checked.findings()
    listed = checked.bytes()["MEMORY.md"].decode()
    assert all(f"(note_{n}.md)" in listed for n in range(3))
    assert workspace.undo().summary.startswith("Undone: Listed 3 files")
    assert checked.bytes() == before
    workspace.pull()
    assert "no-line" in checked.findings()


def test_what_is_mended_from_outside_goes(checked: Checked) -> None:
    (checked.folder / ".x.md.memtui-1-1.new").write_text("left over")
    assert checked.findings()["stray"].count == 1
    (checked.folder / ".x.md.memtui-1-1.new").unlink()
    assert "stray" in checked.findings()  # examined again after a while only
    checked.now += 61
    assert "stray" not in checked.findings()


def test_what_the_reader_met_is_there_once(checked: Checked) -> None:
    (checked.folder / "MEMORY.md").write_text("- [Gone](gone.md) — a file that is not there\n")
    checked.workspace.pull()
    checked.now += 61
    found = [each.code for each in checked.workspace.inbox().items if each.kind == STORE]
    checked.workspace.check_stores()
    again = [each.code for each in checked.workspace.inbox().items if each.kind == STORE]
    assert "dangling-line" in found
    assert len(set(again)) == len(again)
