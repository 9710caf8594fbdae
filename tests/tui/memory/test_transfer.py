"""Copying, moving and relating memories: the preview, the change, and undo (S-8, S-82)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memtui.memory.results import TransferPreview, TransferResult
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.tui.memory.transfer_dialog import preview_text
from memtui.workspace.background import JobControl
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, Shots, Step, app_on, drive, line_with, typed
from tests.support.demo_stores import build
from tests.support.fake_workspace import FakeWorkspace, clock


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def drive_demo(path: Path, *keys: Step, read_only: bool = False, size: tuple[int, int] = (120, 36)) -> str:
    app = MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock)
    return drive(app, *keys, size=size)


@pytest.fixture
def file(demo: Path, tmp_path: Path) -> Path:
    """The store of an MCP server in the demo."""
    return tmp_path / "assistant" / "memory.jsonl"


NUTS: list[Step] = ["/", *typed("nuts"), "down"]


def test_a_copy_shows_beforehand_what_the_store_cannot_hold(demo: Path, file: Path) -> None:
    before, shots, files = file.read_bytes(), Shots(), list[bytes]()

    def note_file(_: MemtuiApp) -> None:
        files.append(file.read_bytes())

    drive_demo(
        demo, "/", *typed("francs"), "down", "Y", shots, "down", "down", note_file, shots,
        "enter", note_file, shots, "u", note_file,
    )  # fmt: skip
    native, incomplete, copied = shots
    assert "Copy 1 memory to" in native
    assert "Nothing will be lost" in native, "memtui's own store is listed first"
    assert "kept only in memtui" in line_with(incomplete, "kept only")
    assert "(empty) → " in incomplete
    assert "Copied 1 memory to mcp-memory:assistant (memory.jsonl)" in copied
    assert "u undo" in line_with(copied, "Copied 1 memory")
    assert files[0] == before
    assert b"francs" in files[1]
    assert files[2] == before


def test_a_move_is_undone_in_a_later_session(demo: Path, file: Path) -> None:
    before, shots, files = file.read_bytes(), Shots(), list[bytes]()
    cancelled: list[Step] = ["M", "down", "escape", shots, lambda _: files.append(file.read_bytes())]
    drive_demo(
        demo, *NUTS, *cancelled, "Y", "down", (80, 24), shots, "escape", (120, 36), "M", "enter", shots
    )
    cancelled_move, small, moved = shots
    assert "Move 1 memory" not in cancelled_move
    assert files == [before]
    assert "esc cancel" in small
    assert "kept only in memtui" in small
    assert "Moved 1 memory to native" in moved
    assert b"nuts" not in file.read_bytes()
    assert "Undone: Moved 1 memory" in drive_demo(demo, "u")
    assert file.read_bytes() == before


def test_copy_and_relate_refuse_an_empty_list_and_a_read_only_workspace(demo: Path) -> None:
    shots = Shots()
    drive(app_on(FakeWorkspace([])), "Y", shots, "O", shots)
    assert "Nothing to copy" in shots[0]
    assert "Nothing to relate" in shots[1]
    assert "read-only" in drive_demo(demo, *NUTS, "Y", "enter", read_only=True)


def test_a_relation_between_stores_is_kept_in_memtui(demo: Path, file: Path) -> None:
    before, shots = file.read_bytes(), Shots()
    francs: list[Step] = ["O", *typed("francs"), "enter"]
    drive_demo(
        demo, *NUTS, "O", shots, *typed("francs"), "enter", shots, "down", "enter", shots,
        *typed("by hand"), "enter", shots, *francs, shots, "escape", "escape", "enter", shots, "escape",
        *francs, *typed("contra"), "enter", shots,
    )  # fmt: skip
    which, how, why, related, existing, full, unrelated = shots
    assert "Relate to which memory?" in which
    assert "Relation kind" in how
    assert "is kept in memtui" in line_with(how, "refines")
    assert "supports: is kept in memtui: the memories are in different stores." in how
    assert "Reason (optional)" in why
    assert "Added a relation to 1 memory (contradicts), kept in memtui" in related
    assert "already related" in line_with(existing, "contradicts")
    assert "— by hand" in full
    assert "(kept in memtui)" in full
    assert "Removed a relation from 1 memory (contradicts)" in unrelated
    assert file.read_bytes() == before


def test_a_relation_between_entities_of_one_store_is_written_to_it(demo: Path, file: Path) -> None:
    before, shots, files = file.read_bytes(), Shots(), list[bytes]()

    def note_file(_: MemtuiApp) -> None:
        files.append(file.read_bytes())

    drive_demo(
        demo, *NUTS, "O", *typed("store:mcp* -nuts"), "enter", *typed("dines with"), shots, "enter", shots,
        *typed("since May"), "enter", note_file, "u", note_file,
    )  # fmt: skip
    assert "adds a relation between the entities" in shots[0]
    assert "kept in memtui." in shots[1]
    assert json.loads(files[0].splitlines()[-1])["relationType"] == "dines with"
    assert b"since May" not in files[0], "the store has no field for the reason"
    assert files[1] == before


def test_a_marked_memory_is_the_target_of_the_relation(demo: Path) -> None:
    shots = Shots()
    drive_demo(demo, "space", "O", shots, "escape", shots)
    assert "Relation kind" in shots[0]
    assert "Relation kind" not in shots[1]


def test_a_stopped_copy_leaves_the_marks_of_the_rest_and_says_how_to_undo_it(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, done, shots = Workspace.copy, list[TransferResult](), Shots()
    marks: list[set[int]] = []

    def stopped(work: Workspace, ids: list[int], store: str, control: JobControl) -> TransferResult:
        reported: list[int] = []
        reports = JobControl(stop=lambda: bool(reported), report=lambda count, left: reported.append(count))
        done.append(copy(work, ids, store, reports))
        return done[-1]

    monkeypatch.setattr(Workspace, "copy", stopped)
    note = Probe(lambda app: marks.append(set(app.screen.query_one(MemoryList).marks)))
    to_second: list[Step] = ["*", note, "Y", "down", "enter", note, shots]
    drive_demo(demo, "/", *typed("store:assistant"), "down", *to_second, size=(80, 24))
    (result,) = done
    assert result.change.unreached
    assert marks[1] == marks[0] - set(result.originals)
    assert len(marks[0]) - len(marks[1]) == len(result.originals) > 0
    said = line_with(shots[0], "(stopped)")
    assert re.search(r"… +· u undo", said), said


def test_the_preview_sums_what_belongs_to_many_memories() -> None:
    previews = [
        TransferPreview(
            *(
                f"u{n}",
                f"number {n}",
                {"subject": (None, f"number {n}"), "category": ("a", "b")},
                (),
                ("tags",),
            ),
            left={"relations": n % 2 + 1, "local-relations": n % 2},
        )
        for n in range(10)
    ]
    text = preview_text(previews, "", 10).plain
    assert "15 relations, 5 relations kept in memtui" in text
    assert text.count("subject") == 1
    assert "(empty) → number 0, and the like  (10 memories)" in text
    assert "a → b  (10 memories)" in text
