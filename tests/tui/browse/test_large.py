"""Long lists are shown before they are loaded in full; a large workspace is checked in the background."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from memtui.tui.app import MemtuiApp
from memtui.tui.browse import listing, search
from memtui.tui.memory.listing.memory_list import MemoryList
from memtui.workspace.search import lexical
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Probe, drive, line_with, typed
from tests.support.corruption import PAGE_SIZE, overwrite_pages, page_numbers
from tests.support.fake_workspace import clock

COUNT = 2_000


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a workspace with 2,000 native memories, and lower the limits for what counts as long."""
    monkeypatch.setattr(lexical, "_FIRST_BATCH", 100)
    monkeypatch.setattr(lexical, "_BATCH", 300)
    monkeypatch.setattr(search, "LARGE", 500)
    path = tmp_path / "workspace.db"
    Workspace.open(path, clock=clock).close()
    connection = apsw.Connection(str(path))
    with connection:
        connection.executemany(
            "INSERT INTO memories (uid, store_id, ref, seen_at, content, created_at) "
            "VALUES (?, 1, ?, 1, ?, ?)",
            ((f"u{n:011d}", f"r{n}", f"Memory number {n} of many.", 1_700_000_000 + n) for n in range(COUNT)),
        )
    connection.close()
    return path


def app_on(path: Path) -> MemtuiApp:
    return MemtuiApp(lambda: Workspace.open(path, clock=clock), clock=clock)


def test_the_whole_list_is_loaded_in_the_end(large: Path) -> None:
    seen = drive(app_on(large))
    assert "1 of 2,000" in seen
    seen = drive(app_on(large), "G")
    assert "2,000 of 2,000" in seen
    assert "Memory number 0 of many." in seen


def test_typing_on_cancels_the_earlier_search(large: Path) -> None:
    app = app_on(large)
    seen = drive(app, "/", *typed("number 77"))
    assert "11 of 2,000" in line_with(seen, "/ number 77")


def test_a_long_list_is_not_reloaded_after_a_change(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_on(large)
    ids: list[list[int]] = []

    @Probe
    def note_ids(app: MemtuiApp) -> None:
        ids.append(list(app.screen.query_one(MemoryList).ids))
        monkeypatch.setattr(listing, "refresh", None)

    seen = drive(app, note_ids, "j", "d", note_ids, "u", note_ids)
    before, dismissed, undone = ids
    assert dismissed == [before[0], *before[2:]]
    assert sorted(undone) == sorted(before)
    assert "2,000" in line_with(seen, "━ 2 of") or "of 2,000" in seen


def test_an_edit_keeps_its_place_in_a_long_list(large: Path) -> None:
    seen = drive(app_on(large), "j", "e", "ctrl+home", *typed("Zebra "), "ctrl+s")
    assert "Zebra Memory number 1998" in seen
    assert "2 of 2,000" in seen


def test_a_damaged_page_of_a_large_workspace_is_found_while_it_is_open(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.workspace.db.database.MAX_CHECKED_BYTES", 0)
    overwrite_pages(large, page_numbers(large, "memories")[-1])
    assert large.stat().st_size > 4 * PAGE_SIZE
    seen = drive(app_on(large))
    assert "read-only" in seen.splitlines()[0]
    assert "--salvage" in " ".join(seen.split())
