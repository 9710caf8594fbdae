"""What policies refused today is in the Inbox, one line an agent and policy (S-52, S-61)."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

from memtui.errors import PolicyRefused
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, drive, line_with
from tests.support.demo_workspace import NOW
from tests.tui.inbox.test_inbox import at_inbox

AWS = "AKIA" + "IOSFODNN7EXAMQQE"


def refused(work: Workspace, agent: str, text: str, **fields: str) -> None:
    with suppress(PolicyRefused):
        work.remember(agent, {"content": text, **fields})


def test_breaches_of_the_day_are_one_line_each(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with closing(Workspace.open(path, clock=lambda: NOW)) as work:
        work.set_policy("scout", write=["private"])
        for scope in ("fleet", "session"):
            refused(work, "scout", "The kettle is new.", scope=scope)
        refused(work, "ada", f"use {AWS}")
        lines = ["ada was refused 1 time today by the policy “no secrets”"]
        lines.append("scout was refused 2 times today by the policy “scout”")
        assert sorted(each.label for each in work.inbox().items) == lines
    shots = Shots()
    app = MemtuiApp(lambda: Workspace.open(path, clock=lambda: NOW), clock=lambda: NOW)
    steps = at_inbox(shots, (80, 24), shots, "v", shots, "s", "enter", shots, "u", shots, "enter")
    journal = drive(app, *steps, shots, size=(120, 36))
    wide, narrow, confirmed, snoozed, back = shots[:5]
    for shot in (wide, narrow, back):
        assert "ada was refused" in shot
        assert "scout was refused" in shot
    assert "× breaches 2" in wide
    assert "opens the Journal" in narrow
    assert "This is about an agent" in confirmed
    assert "ada was refused" not in snoozed
    assert "Refused a write of scout" in line_with(journal, "Refused a write of scout")
    assert AWS not in "".join(shots)
    with closing(Workspace.open(path, clock=lambda: NOW + 2 * 86_400)) as work:
        assert list(work.inbox().items) == []
