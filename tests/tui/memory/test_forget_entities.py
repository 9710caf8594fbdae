"""`del` on the heading of an entity forgets the entity; `del` on its only observation leaves it (S-106)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, Step, drive
from tests.support.fake_workspace import clock
from tests.support.stores import mcp_memory

LINES = mcp_memory.lines(
    mcp_memory.entity("Ana", "Likes tea", "Lives in Sneek"),
    mcp_memory.entity("Bo", "Leads hiring"),
    mcp_memory.relation("Bo", "knows", "Ana"),
)


def test_del_on_a_heading_takes_the_entity_along_and_says_so_in_the_one_question(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    file = mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(LINES).encode()).root
    with closing(Workspace.open(path, clock=clock)) as workspace:
        workspace.attach(file, name="m")
    before, found, shots = file.read_bytes(), list[bytes](), Shots()
    note = Probe(lambda app: found.append(file.read_bytes()))
    heading: list[Step] = ["g", "j", "j", "delete", shots, "enter", shots, note, "u", shots, note]
    only_one: list[Step] = ["g", "j", "delete", shots, "enter", shots, note]
    app = MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)
    drive(app, *heading, *only_one, size=(80, 24))
    asked, gone, undone, asked_one, left = (" ".join(shot.replace("┃", " ").split()) for shot in shots)
    assert "Forget 2 memories" in asked
    assert "the entity “Ana” goes, too; their only relation is removed and restored with them" in asked
    assert "Forgot 2 memories" in gone
    assert "Ana" not in gone.partition("Forgot")[0]
    assert found[0] == LINES[1].encode()
    assert "Undone" in undone
    assert found[1] == before
    assert "Forget 1 memory" in asked_one
    assert "the entity “Bo” stays, without observations" in asked_one
    assert "“Bo” stays" in left
    assert b'"name":"Bo"' in found[2]
