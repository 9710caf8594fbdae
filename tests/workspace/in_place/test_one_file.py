"""A new format is one file: registry, discovery, Stores screen and doctor find it without other changes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import memtui.formats
from memtui.formats import discovery, registry
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import drive
from tests.support.demo_workspace import DemoWorkspace, memory


@pytest.fixture
def tmp_path(disk_path: Path) -> Path:
    """A folder on a real disk: nothing below /dev, where memory disks are, is discovered."""
    return disk_path


FORMAT = '''
"""A shopping list: each line that begins with an asterisk is a memory."""

import re
from memtui.formats.contract.adapter import Support, SupportKind
from memtui.formats.contract.records import Reading, Record
from memtui.formats.media.files.store import FileStore


class Shopping(FileStore):
    format = "shopping"
    title = "Shopping list"
    recognised_by = "a text whose first line is SHOPPING"
    usual_paths = ("list.txt",)
    known_places = ("./list.txt",)
    fields = frozenset({"content"})
    finding_help = {"blank": "Nobody knows what to buy."}

    @classmethod
    def recognise(cls, path):
        return path if path.is_file() and path.read_bytes().startswith(b"SHOPPING") else None

    @classmethod
    def create(cls, path):
        with open(path, "xb") as file:
            file.write(b"SHOPPING\\n")
        return path

    def load(self):
        return {self.root.name: self.root.read_bytes()}, {self.root.name: 0o600}

    def parse(self, files):
        out, name = Reading(), self.root.name
        for number, match in enumerate(re.finditer(rb"^\\* (.*)\\n", files.get(name, b""), re.M), 1):
            text = match[1].decode()
            if not text:
                out.add_finding("blank", f"line {number}", "A line says nothing.")
                continue
            place = name, match.start(1)
            out.records.append(Record(text, {"content": text}, text, f"line {number}", place))
        return out

    def revise(self, draft, record, write):
        name = self.root.name
        if record is None:
            end = len(draft.files[name])
            draft.splice(name, end, end, b"* " + write.fields["content"].encode() + b"\\n")
            return
        start = record.position[1]
        end = draft.files[name].index(b"\\n", start)
        if write.action == "dismiss":
            draft.splice(name, start - 2, end + 1, b"")
        else:
            draft.splice(name, start, end, write.fields["content"].encode())

    def support_for(self, action, name=""):
        kind = SupportKind.MOVED if action in ("dismiss", "restore") else SupportKind.NATIVE
        if action == "add" or kind is SupportKind.MOVED or (action == "edit" and name in ("", "content")):
            return Support(kind, f"changes {self.root.name}")
        return Support(SupportKind.WORKSPACE, "is kept in memtui: a shopping list has no such thing")
'''
LIST = b"SHOPPING\n* oat milk\n* \n* two lemons\n"


@pytest.fixture
def shopping_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file among memtui's own formats, and a list in that format."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "shopping.py").write_text(FORMAT)
    monkeypatch.setattr(memtui.formats, "__path__", [*memtui.formats.__path__, str(folder)])
    registry.formats.cache_clear()
    (tmp_path / "shop").mkdir()
    path = tmp_path / "shop" / "list.txt"
    path.write_bytes(LIST)
    yield path
    registry.formats.cache_clear()
    sys.modules.pop("memtui.formats.shopping", None)


def test_a_store_is_attached_changed_undone_and_checked(
    demo_workspace: DemoWorkspace, workspace: Workspace, shopping_list: Path
) -> None:
    (info,) = workspace.attach(shopping_list)
    assert (info.format, info.name, info.count) == ("shopping", "shopping:shop", 2)
    lemons = workspace.search("lemons").ids[0]
    workspace.edit([lemons], {"content": "three lemons"})
    workspace.dismiss([workspace.search("milk").ids[0]])
    assert shopping_list.read_bytes() == b"SHOPPING\n* \n* three lemons\n"
    workspace.pin([lemons])
    (issue,) = [reported for reported in workspace.doctor() if reported.code == "blank"]
    assert issue.meaning == "Nobody knows what to buy."
    for _ in range(3):
        workspace.undo()
    assert shopping_list.read_bytes() == LIST
    transfer = workspace.copy([lemons], "native")
    assert memory(workspace, transfer.change.ids[0]).content == "two lemons"


def test_a_store_is_discovered_and_an_empty_one_created(
    workspace: Workspace, shopping_list: Path, tmp_path: Path
) -> None:
    stores = discovery.discover(home=tmp_path, cwd=shopping_list.parent, environ={})
    assert [store.title for store in stores if store.format == "shopping"] == ["Shopping list"]
    info = workspace.create_store("shopping", tmp_path / "new.txt", "later")
    assert (info.name, info.count) == ("later", 0)
    assert (tmp_path / "new.txt").read_bytes() == b"SHOPPING\n"


def test_the_stores_screen_shows_the_store(demo_workspace: DemoWorkspace, shopping_list: Path) -> None:
    with demo_workspace.opened() as workspace:
        workspace.attach(shopping_list)
    seen = drive(MemtuiApp(demo_workspace.open, clock=demo_workspace.clock), "8")
    assert "shopping:shop" in seen
