"""The line of a change says what the agent sees because of it (S-72)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, drive
from tests.support.fake_workspace import clock
from tests.support.stores import claude_code
from tests.support.stores.claude_code import flat


def test_a_dismissal_says_that_the_agent_sees_one_less_and_one_more(tmp_path: Path) -> None:
    names = [f"m{number:03}.md" for number in range(202)]
    index = "".join(f"- [{name}]({name}) — hook\n" for name in names)
    files = {name: flat(name, "project", f"Text of {name}.") for name in names}
    claude_code.make(tmp_path / "memory", {"MEMORY.md": index, **files})
    with closing(Workspace.open(tmp_path / "w.db", clock=clock)) as workspace:
        workspace.attach(tmp_path / "memory", "notes")
    shots = Shots()
    drive(
        MemtuiApp(lambda: Workspace.open(tmp_path / "w.db", clock=clock), clock=clock),
        *("/", *"m007", "enter", "d", shots, "u", shots, "p", shots),
        size=(200, 40),
    )
    dismissed, undone, pinned = shots
    assert "Claude Code no longer sees it and sees 1 more memory that had no room" in dismissed
    assert "Claude Code now sees it and no longer has room for 1 other memory" in undone
    assert "Pinned" in pinned
    assert "Claude Code" not in pinned.splitlines()[-2]
