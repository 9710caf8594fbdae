"""What a snoozed memory looks like, and the views of snoozed and dismissed memories (S-31)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, app_on, drive, line_with
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, clock, memory


def test_a_snoozed_memory_has_a_sign_and_views_show_what_is_snoozed_and_dismissed() -> None:
    work = FakeWorkspace(
        [
            memory(1, "Likes tea"),
            memory(2, "Plays the viola", snoozed_until=NOW + 3 * DAY),
            memory(3, "Lives in Sneek", status="dismissed"),
        ],
        clock=clock,
    )
    shots = Shots()
    drive(app_on(work), "j", shots, "V", shots, "s", shots, "V", "d", shots, size=(120, 36))
    whole, dialog, snoozed, dismissed = shots
    assert "☾ snoozed" in line_with(whole, "   Plays the viola")
    assert "☾" not in line_with(whole, "   Likes tea").split("┃│")[0]
    assert "· ☾ snoozed until " in whole
    assert "[all 2] ☾ 1  ✗ 1" in whole
    assert "is:snoozed" in line_with(dialog, "☾  snoozed")
    assert "status:dismissed" in line_with(dialog, "✗  dismissed")
    assert "Snoozed memories. esc shows all." in snoozed
    assert "Likes tea" not in snoozed
    assert "✗ dismissed" in line_with(dismissed, "Lives in Sneek")
    narrow = line_with(drive(app_on(work), "j", size=(60, 24)), "Plays the viola")
    assert "☾" in narrow
    assert "snoozed" not in narrow


def test_the_rows_of_a_real_store_say_what_is_snoozed_until_it_ends(tmp_path: Path) -> None:
    now = NOW
    with closing(Workspace.open(tmp_path / "w.db", clock=lambda: now)) as workspace:
        id = workspace.add({"content": "Likes tea"}).ids[0]
        workspace.snooze([id], NOW + DAY)
        assert [row.snoozed for row in workspace.rows([id])] == [True]
        assert workspace.match_counts(["is:snoozed", "status:dismissed"]) == [1, 0]
        workspace.dismiss([id])
        assert workspace.match_counts(["is:snoozed", "status:dismissed"]) == [0, 1]
        workspace.restore([id])
        now = NOW + 2 * DAY
        assert [row.snoozed for row in workspace.rows([id])] == [False]
