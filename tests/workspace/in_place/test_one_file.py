"""A new format is one file: nothing else in memtui has to know of it (the registry, discovery, the Stores
screen and the doctor find it)."""

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
    """On a real disk: nothing below /dev, where memory disks are, is discovered."""
    return disk_path


FORMAT = '''
"""A shopping list: each line that begins with an asterisk is a memory."""

import re
from memtui.formats.contract.adapter import How, Reading, Record, Support
from memtui.formats.media.files.store import FileStore


class Shopping(FileStore):
    format = "shopping"
    title = "Shopping list"
    looked_for = "a text whose first line is SHOPPING"
    inside = ("list.txt",)
    known_places = ("./list.txt",)
    fields = frozenset({"content"})
    meanings = {"blank": "Nobody knows what to buy."}

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
                out.odd("blank", f"line {number}", "A line says nothing.")
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
        start = record.at[1]
        end = draft.files[name].index(b"\\n", start)
        if write.action == "dismiss":
            draft.splice(name, start - 2, end + 1, b"")
        else:
            draft.splice(name, start, end, write.fields["content"].encode())

    def supports(self, action, name=""):
        how = How.MOVED if action in ("dismiss", "restore") else How.NATIVE
        if action == "add" or how is How.MOVED or (action == "edit" and name in ("", "content")):
            return Support(how, f"changes {self.root.name}")
        return Support(How.WORKSPACE, "is kept in memtui: a shopping list has no such thing")
'''
LIST = b"SHOPPING\n* oat milk\n* \n* two lemons\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file beside memtui's own formats, and a list of that format."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "shopping.py").write_text(FORMAT)
    monkeypatch.setattr(memtui.formats, "__path__", [*memtui.formats.__path__, str(folder)])
    registry.formats.cache_clear()
    (tmp_path / "shop").mkdir()
    place = tmp_path / "shop" / "list.txt"
    place.write_bytes(LIST)
    yield place
    registry.formats.cache_clear()
    sys.modules.pop("memtui.formats.shopping", None)


def test_it_is_attached_changed_undone_and_looked_at_by_the_doctor(
    demo_workspace: DemoWorkspace, workspace: Workspace, shop: Path
) -> None:
    (info,) = workspace.attach(shop)
    assert (info.format, info.name, info.count) == ("shopping", "shopping:shop", 2)
    lemons = workspace.search("lemons").ids[0]
    workspace.edit([lemons], {"content": "three lemons"})
    workspace.dismiss([workspace.search("milk").ids[0]])
    assert shop.read_bytes() == b"SHOPPING\n* \n* three lemons\n"
    workspace.pin([lemons])
    (found,) = [each for each in workspace.doctor() if each.code == "blank"]
    assert found.meaning == "Nobody knows what to buy."
    for _ in range(3):
        workspace.undo()
    assert shop.read_bytes() == LIST
    done = workspace.copy([lemons], "native")
    assert memory(workspace, done.change.ids[0]).content == "two lemons"


def test_it_is_discovered_and_made_empty(workspace: Workspace, shop: Path, tmp_path: Path) -> None:
    found = discovery.discover(home=tmp_path, cwd=shop.parent, environ={})
    assert [each.title for each in found if each.format == "shopping"] == ["Shopping list"]
    info = workspace.create_store("shopping", tmp_path / "new.txt", "later")
    assert (info.name, info.count) == ("later", 0)
    assert (tmp_path / "new.txt").read_bytes() == b"SHOPPING\n"


def test_the_stores_screen_shows_it(demo_workspace: DemoWorkspace, shop: Path) -> None:
    with demo_workspace.opened() as workspace:
        workspace.attach(shop)
    seen = drive(MemtuiApp(demo_workspace.open, clock=demo_workspace.clock), "8")
    assert "shopping:shop" in seen
