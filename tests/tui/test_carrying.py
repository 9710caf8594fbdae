"""Copying, moving and relating memories by key: what is told before, what is done, and undo (S-8, S-82)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.demo import build
from memtui.tui.app import MemtuiApp
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Step, app_on, drive, line_with, typed
from tests.support.fake_workspace import FakeWorkspace, clock


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return build(tmp_path, clock)


def on(path: Path, *keys: Step, read_only: bool = False, size: tuple[int, int] = (120, 36)) -> str:
    app = MemtuiApp(lambda: Workspace.open(path, clock=clock, read_only=read_only), clock=clock)
    return drive(app, *keys, size=size)


NUTS: list[Step] = ["/", *typed("nuts"), "down"]


def test_what_a_store_cannot_hold_is_told_before_and_after(demo, tmp_path):
    seen = on(demo, "/", *typed("francs"), "down", "Y")
    assert "Copy 1 memory to" in seen
    assert "It can hold all of it" in seen, "memtui's own store is the first"
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = on(demo, "/", *typed("francs"), "down", "Y", "down", "down")
    assert "kept in memtui alone" in line_with(seen, "kept in memtui")
    assert "nothing → " in seen
    assert file.read_bytes() == before
    seen = on(demo, "/", *typed("francs"), "down", "Y", "down", "down", "enter")
    assert "Copied 1 memory to mcp-memory:assistant (memory.jsonl)" in seen
    assert "u undo" in line_with(seen, "Copied 1 memory")
    assert b"francs" in file.read_bytes()
    on(demo, "u")
    assert file.read_bytes() == before


def test_a_move_takes_it_out_of_its_store_and_u_brings_it_back(demo, tmp_path):
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = on(demo, *NUTS, "M", "enter")
    assert "Moved 1 memory to native" in seen
    assert b"nuts" not in file.read_bytes()
    seen = on(demo, "u")
    assert "Undone: Moved 1 memory" in seen
    assert file.read_bytes() == before


def test_esc_changes_nothing(demo, tmp_path):
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = on(demo, *NUTS, "M", "down", "escape")
    assert "Move 1 memory" not in seen
    assert file.read_bytes() == before


def test_it_fits_a_small_screen(demo):
    seen = on(demo, *NUTS, "Y", "down", size=(80, 24))
    assert "esc cancel" in seen
    assert "kept in memtui" in seen or "stays behind" in seen


def test_an_empty_list_and_a_read_only_workspace_say_why(demo):
    assert "Nothing to copy" in drive(app_on(FakeWorkspace([])), "Y")
    assert "Nothing to relate" in drive(app_on(FakeWorkspace([])), "O")
    assert "read-only" in on(demo, *NUTS, "Y", "enter", read_only=True)


def test_a_relation_is_chosen_step_by_step(demo, tmp_path):
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    seen = on(demo, *NUTS, "O")
    assert "Relate to which memory?" in seen
    seen = on(demo, *NUTS, "O", *typed("francs"), "enter")
    assert "How are they related?" in seen
    assert "different stores" in line_with(seen, "supports")
    seen = on(demo, *NUTS, "O", *typed("francs"), "enter", "down", "enter")
    assert "Why are they related so?" in seen
    seen = on(demo, *NUTS, "O", *typed("francs"), "enter", "down", "enter", *typed("by hand"), "enter")
    assert "Related 1 memory (contradicts), kept in memtui" in seen
    seen = on(demo, *NUTS, "O", *typed("francs"), "enter")
    assert "stands already" in line_with(seen, "contradicts")
    seen = on(demo, *NUTS, "enter")
    assert "— by hand" in seen
    assert "(kept in memtui)" in seen
    seen = on(demo, *NUTS, "O", *typed("francs"), "enter", *typed("contra"), "enter")
    assert "Unrelated 1 memory (contradicts)" in seen
    assert file.read_bytes() == before


def test_between_entities_of_one_graph_it_is_written_there(demo, tmp_path):
    file = tmp_path / "assistant" / "memory.jsonl"
    before = file.read_bytes()
    with_other = [*NUTS, "O", *typed("store:mcp* -nuts"), "enter", *typed("dines with")]
    assert "adds a relation between the two entities" in on(demo, *with_other)
    assert "is kept in memtui." in on(demo, *with_other, "enter")
    on(demo, *with_other, "enter", *typed("since May"), "enter")
    last = json.loads(file.read_bytes().splitlines()[-1])
    assert (last["relationType"], "since May" in file.read_text()) == ("dines with", False)
    on(demo, "u")
    assert file.read_bytes() == before


def test_the_one_that_is_marked_is_the_other(demo):
    seen = on(demo, "space", "O")
    assert "How are they related?" in seen
    assert "How are they related?" not in on(demo, "space", "O", "escape")
