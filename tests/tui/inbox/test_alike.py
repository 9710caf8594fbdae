"""Marking all that is like an item, one verdict on all marked pairs, repairing a store (S-42, S-52, S-91)."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, app_on, drive
from tests.support.stores import claude_code, mcp_memory
from tests.tui.inbox.test_inbox import at_inbox, waiting

NOW = 1_763_000_000.0


def test_all_of_one_topic_are_told_and_resolved_with_one_undo(tmp_path: Path) -> None:
    bugs = [
        mcp_memory.entity(f"Bug {name}", "State: open", "State: fixed", kind="bug")
        for name in ("login", "search", "export")
    ]
    bugs.append(mcp_memory.entity("Office", "Opens at: 8:00", "Opens at: 9:00", kind="place"))
    store = mcp_memory.make(tmp_path / "memory.jsonl", "\n".join(mcp_memory.lines(*bugs)).encode()).root
    before, shots = store.read_bytes(), Shots()
    with closing(Workspace.open(tmp_path / "w.db", clock=lambda: NOW)) as workspace:
        workspace.attach(store, "graph")
        workspace.scan()
        assert len(workspace.pairs()) == 4
        steps: list[Step] = [
            "g",
            "*",
            shots,
            "enter",
            shots,
            "a",
            shots,
            "d",
            shots,
            "n",
            shots,
            "enter",
            shots,
        ]
        drive(MemtuiApp(lambda: workspace), *at_inbox(*steps))
        groups, marked, keep, dismiss, asked, done = shots
        assert "contradictions about “State”" in groups
        assert "contradictions in graph" in groups
        assert "Marked 3 pairs: t both true, n false positive, s snooze." in marked
        assert "3 marked" in marked
        for refused in (keep, dismiss):
            assert "Pairs are marked: t n s resolve all of them, * clears the marks." in refused
        assert "3 pairs in graph" in asked
        assert "Bug login: State: " in asked
        assert "Marked as not a contradiction: 3 pairs; saved in memtui only" in done
        assert [pair.labels[0].split(":")[0] for pair in workspace.pairs()] == ["Office"]
        workspace.undo()
        assert len(workspace.pairs()) == 4
    assert store.read_bytes() == before


def test_a_pair_is_snoozed_until_a_chosen_day_and_a_finding_comes_back_with_u() -> None:
    work, shots = waiting(), Shots()
    steps: list[Step] = ["j", "s", shots, "enter", shots, "u", shots]
    drive(app_on(work), *at_inbox(*steps))
    asked, done, undone = shots
    assert "Snooze this pair until" in asked
    assert "tomorrow" in asked
    assert "Snoozed until" in done
    assert "≠ escalated" not in done
    assert "≠ escalated" in undone


def test_findings_of_a_store_are_repaired_in_place(tmp_path: Path) -> None:
    files = {f"note_{n}.md": claude_code.flat(f"note_{n}", "project", f"Fact {n}.") for n in range(3)}
    folder, shots = claude_code.make(tmp_path / "notes", files).root, Shots()
    with closing(Workspace.open(tmp_path / "w.db", clock=lambda: NOW)) as workspace:
        workspace.attach(folder, "notes")
        workspace.check_stores()
        steps: list[Step] = ["g", shots, "F", shots, "enter", shots, "F", shots]
        drive(MemtuiApp(lambda: workspace), *at_inbox(*steps))
        listed, asked, done, nothing = shots
        assert "F repair" in listed
        assert "3 findings will be repaired:" in asked
        assert "note_0.md: Not listed in MEMORY.md" in asked
        assert "Listed 3 files in MEMORY.md" in done
        assert "Not listed in MEMORY.md" not in done
        assert "Only what is wrong with a store can be repaired." in nothing
        assert (folder / "MEMORY.md").read_text().count("- [") == 3
        workspace.undo()
        assert not (folder / "MEMORY.md").exists()
