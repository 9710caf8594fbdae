"""Parts of one change and what lies outside of them: memories that share an entity, a text or their keys,
other programs that change something between two parts, slow stores (S-7, S-50, S-51)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.memory.replacement import Replacement
from memtui.workspace.background import JobControl
from memtui.workspace.changes import outbox, parts
from memtui.workspace.workspace import Workspace
from tests.support.stores.mcp_memory import entity, lines, relation

TIMED = entity("Ada", *({"text": "tea", "timestamp": f"2026-01-0{n}T00:00:00.000Z"} for n in range(1, 7)))
ACME = entity("Acme", "fact one", "fact two", "fact three")


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of one memory each."""
    monkeypatch.setattr(parts, "FIRST", 1)
    monkeypatch.setattr(parts, "GOAL", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "memory.jsonl"
    found.write_text("\n".join(lines(TIMED, ACME, relation("Ada", "knows", "Acme"))), encoding="utf-8")
    return found


@pytest.fixture
def workspace(tmp_path: Path, path: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(tmp_path / "w.db")) as opened:
        opened.attach(path)
        yield opened


def ids_of(workspace: Workspace, query: str) -> list[int]:
    return sorted(workspace.search(query, sort="oldest").ids)


def days(path: Path) -> list[str]:
    """Return the days of Ada's observations that are left; only by these do they differ."""
    ada = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    return [each["timestamp"][8:10] for each in ada["observations"]]


def test_of_equal_texts_those_chosen_are_forgotten(workspace: Workspace, path: Path) -> None:
    before = path.read_bytes()
    chosen = ids_of(workspace, "tea")[:3]
    change = workspace.forget(chosen, JobControl())
    assert sorted(change.ids) == chosen
    assert days(path) == ["04", "05", "06"]
    assert ids_of(workspace, "is:removed") == chosen
    workspace.undo()
    assert path.read_bytes() == before


def test_an_entity_is_renamed_for_all_of_its_memories_at_once(workspace: Workspace, path: Path) -> None:
    before = path.read_bytes()
    found = workspace.replace_preview(Replacement("Acme", "Umbra"), ids_of(workspace, ""))
    change = workspace.replace(found.memories, found.skipped, JobControl())
    assert (len(change.ids), change.skipped) == (3, ())
    assert b"Acme" not in path.read_bytes()
    workspace.undo()
    assert path.read_bytes() == before


def test_a_stop_leaves_no_key_twice(tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path / "w.db")) as workspace:
        (tmp_path / "store").mkdir()
        store = workspace.create_store("minions", tmp_path / "store", "minions").name
        for key in ("plan", "planplan"):
            workspace.add({"content": f"The {key}.", "key": key, "owner": "acme"}, store)
        ids = ids_of(workspace, f"store:{store}")
        found = workspace.replace_preview(Replacement("plan", "planplan", fields=("key",)), ids)
        done: list[int] = []
        control = JobControl(stop=lambda: bool(done), report=lambda count, left: done.append(count))
        workspace.replace(found.memories, found.skipped, control)
        assert sorted(str(each.key) for each in workspace.memories(ids)) == ["planplan", "planplanplanplan"]


def test_a_store_that_is_locked_between_two_parts_is_not_written_any_more(
    workspace: Workspace, tmp_path: Path, path: Path
) -> None:
    name = workspace.stores()[1].name
    ids = ids_of(workspace, "tea")

    def lock(done: int, left: int) -> None:
        if done == 1:
            with closing(Workspace.open(tmp_path / "w.db")) as other:
                other.lock_store(name, True)

    change = workspace.forget(ids[:1] + ids_of(workspace, "fact"), JobControl(report=lock))
    assert change.ids == (ids[0],)
    assert {each.code for each in change.skipped} == {"blocked"}
    assert b"fact three" in path.read_bytes()


def test_a_workspace_that_is_busy_at_the_second_part_keeps_what_was_done(
    workspace: Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise apsw.BusyError("database is locked")

    before = path.read_bytes()
    monkeypatch.setattr(outbox, "carry_on", fail)
    change = workspace.dismiss(ids_of(workspace, "fact"), JobControl())
    assert (len(change.ids), len(change.skipped), change.unreached) == (1, 1, 1)
    workspace.undo()
    assert path.read_bytes() == before


def test_where_each_write_is_slow_there_are_not_many(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "MOST", 1)
    reports: list[int] = []
    workspace.dismiss(ids_of(workspace, "fact"), JobControl(report=lambda done, left: reports.append(done)))
    assert reports == [1, 3]
