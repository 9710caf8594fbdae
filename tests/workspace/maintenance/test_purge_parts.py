"""A purge of many memories reports its progress and can be stopped between two: what has left its store is
erased from memtui, too, and the others stay as they are (S-50)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.workspace.background import JobControl
from memtui.workspace.changes import parts
from tests.support.contradiction_stores import FORMATS, TEXTS, ContradictionStores


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one memory each."""
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)


def files_with(folder: Path, text: str) -> list[str]:
    found = subprocess.run(["grep", "-rlaF", "--", text, str(folder)], capture_output=True, text=True)
    return [line for line in found.stdout.splitlines() if ".backups" not in line]


def stopping_after(count: int) -> tuple[JobControl, list[int]]:
    done: list[int] = []
    control = JobControl(
        stop=lambda: bool(done) and done[-1] >= count, report=lambda each, _: done.append(each)
    )
    return control, done


@pytest.mark.parametrize("format", [each for each in FORMATS if each != "cognitive"])
def test_a_stopped_purge_erases_what_it_reached_and_leaves_the_rest(tmp_path: Path, format: str) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        ids = list(stores.sample_ids(workspace, format))
        kept = workspace.memories(ids[2:])
        control, done = stopping_after(2)
        purged = workspace.purge(ids, control)
        assert done == [1, 2]
        assert (purged.count, purged.unreached) == (2, 2)
        assert purged.summary.startswith("Purged 2 of 4 memories (stopped) from ")
        assert workspace.memories(ids) == kept
        assert workspace.pull().changes == {}  # minions keep a relation to what is gone
        (entry,) = [each for each in workspace.journal() if each.kind == "purged"]
        assert (entry.count, "(2 of 4 done)" in entry.summary, entry.undoable) == (4, True, False)
        rest = workspace.purge(ids[2:])
        assert rest.count == 2
    if format not in (
        "mem-skill",
        "founder-os",
        "minions",
    ):  # they keep records of their own, as the notes say
        for text in TEXTS:
            assert files_with(tmp_path, text) == []


def test_a_memory_that_changed_between_two_parts_is_left_and_reported(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("claude-code",)).create()
    with stores.opened() as workspace:
        ids = list(stores.sample_ids(workspace, "claude-code"))
        last = stores.store_paths["claude-code"] / "n4.md"

        def rewrite(done: int, left: int) -> None:
            if done == 1:
                last.write_text(
                    last.read_text("utf-8").replace(f"{TEXTS[3]}.", "Says something else."), "utf-8"
                )

        purged = workspace.purge(ids, JobControl(report=rewrite))
        assert (purged.count, purged.unreached) == (3, 0)
        assert any("was not purged" in note and "changed" in note for note in purged.notes)
        assert "Says something else." in last.read_text("utf-8")
        workspace.pull()
        assert [each.content.strip() for each in workspace.memories(ids)] == ["Says something else."]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("step", ["after the foreign write", "after settling", "before erasing"])
def test_a_purge_that_ends_in_between_is_finished_by_a_second_one(tmp_path: Path, step: str) -> None:
    stores = ContradictionStores(tmp_path, ("mcp-memory",)).create()
    with stores.opened() as workspace:
        ids, steps = list(stores.sample_ids(workspace, "mcp-memory")), list[str]()

        def kill(name: str) -> None:
            steps.append(name)
            if steps.count(step) == (1 if step == "before erasing" else 2):
                raise Killed

        workspace._ctx.on_step = kill
        with pytest.raises(Killed):
            workspace.purge(ids, JobControl())
    with stores.opened() as workspace:
        workspace.purge(ids)
        assert workspace.memories(ids) == []
        assert workspace.pull().total == 0
    for text in TEXTS:
        assert files_with(tmp_path, text) == []


def test_a_purge_that_is_stopped_before_it_began_erases_nothing(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions",)).create()
    with stores.opened() as workspace:
        before = stores.snapshot()
        with pytest.raises(Refused) as refused:
            workspace.purge(stores.sample_ids(workspace, "minions"), JobControl(stop=lambda: True))
        assert refused.value.code == "stopped"
        assert stores.snapshot() == before
