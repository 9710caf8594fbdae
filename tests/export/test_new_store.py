"""A new store of any format is recognised, has the same texts, and is whole or not there (S-70)."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import apsw
import pytest

from memtui.errors import Refused
from memtui.export.new_store import store_kinds, write_store
from memtui.formats import registry
from memtui.formats.claude_code import document
from memtui.formats.contract.adapter import Adapter
from memtui.formats.contract.plans import Receipt
from memtui.memory.memory import Memory
from memtui.memory.relations import RelationAmong
from memtui.workspace.background import JobControl
from tests.export.entries import NOW, candidate
from tests.support.hostile.texts import TEXTS

NAMES = list(store_kinds())
# Of three: formats have kinds of their own, and b and c are one entity of an MCP memory.
RELATIONS_HELD = {"base-coat": 1, "cognitive": 1, "mcp-memory": 2, "minions": 1}
PLAIN = [
    candidate("a", "Net 30, “in francs” 🦊", category="fact", key="terms", confidence=0.5).memory,
    candidate(
        "b", "Net 14 for Acme.", category="odd", key="terms", subject="acme", tags=("x",), note="mine"
    ).memory,
    candidate("c", "# Heading\n\nTwo paragraphs.", title="Both", subject="acme").memory,
    candidate("d", "---\nname: forged\n---\ntext", category="preference", pinned=True).memory,
]


def texts_in(path: Path) -> dict[str, list[str]]:
    """Return the texts of the stores that memtui finds at a path, by format."""
    return {
        kind.format: sorted(str(record.fields["content"]) for record in kind(root).read().records)
        for kind, root in registry.find(path)
    }


def test_every_format_has_a_name_that_no_text_has() -> None:
    assert {kind.format for kind in store_kinds().values()} == {each.format for each in registry.formats()}
    assert store_kinds()["founder-os-store"].format == "founder-os"


@pytest.mark.parametrize("name", NAMES)
def test_a_new_store_has_the_same_texts(name: str, tmp_path: Path) -> None:
    kind = store_kinds()[name]
    path = tmp_path / "made.x"
    made = write_store(kind, path, PLAIN, NOW)
    # A pattern of Base Coat's shared memory is one paragraph.
    assert set(made.refused) == ({"c"} if name == "base-coat-shared" else set())
    written = [each for each in PLAIN if each.uid not in made.refused]
    assert [each.uid for each in made.written] == [each.uid for each in written]
    assert texts_in(path) == {kind.format: sorted(each.content for each in written)}
    assert kind.recognise(made.root) == made.root
    assert list(tmp_path.iterdir()) == [path], "no sidecar, no hidden folder"
    assert path.stat().st_mode & 0o077 == 0
    # Whatever the format has no field for is named.
    adapter = kind(made.root)
    lost = {each.uid: set(each.lost) | set(each.changed) for each in made.written}
    for uid, field, value in (("b", "tags", ("x",)), ("b", "note", "mine"), ("d", "pinned", True)):
        held = [r for r in adapter.read().records if r.fields.get(field) == value]
        assert held or field in lost[uid], (uid, field)
    with pytest.raises(Refused, match="already exists"):
        write_store(kind, path, PLAIN, NOW)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_memories_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    memories = [*PLAIN, candidate("e", "Dated.", created_at=NOW, updated_at=NOW + 5).memory]
    relations = [RelationAmong(("a",), "supports", ("d",), 0.5, "said so", "")]
    made = []
    for number in (1, 2):  # an hour apart
        root = tmp_path / str(number)
        root.mkdir()
        write_store(store_kinds()[name], root / "made", memories, NOW + 3_600 * number, relations)
        files = [each for each in root.rglob("*") if each.is_file()]
        made.append({str(each.relative_to(root)): each.read_bytes() for each in files})
    assert made[0] == made[1]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_stay_as_they_are_or_are_refused_by_name(name: str, tmp_path: Path) -> None:
    kind = store_kinds()[name]
    memories = [candidate(f"u{n}", text, title=text).memory for n, text in enumerate(TEXTS.values())]
    made = write_store(kind, tmp_path / "made", memories, NOW)
    written = {each.uid for each in made.written}
    assert written | set(made.refused) == {each.uid for each in memories}
    assert written
    assert all(made.refused.values())
    assert len(texts_in(tmp_path / "made")[kind.format]) == len(written)


def test_a_trailing_slash_puts_a_file_inside_a_folder(tmp_path: Path) -> None:
    made = write_store(store_kinds()["founder-os-store"], tmp_path / "new", PLAIN, NOW, inside=True)
    assert made.root == tmp_path / "new" / ".memory" / "memory.db"
    assert "founder-os" in texts_in(tmp_path / "new")


def test_a_folder_that_another_export_took_for_left_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, taken = tempfile.mkdtemp, list[str]()

    def late(**options: Any) -> Any:
        made = make(**options)
        if not taken:
            taken.append(made)
            os.rmdir(made)
        return made

    monkeypatch.setattr(tempfile, "mkdtemp", late)
    assert write_store(store_kinds()["claude-code"], tmp_path / "made", PLAIN, NOW).written
    assert [each.name for each in tmp_path.iterdir()] == ["made"]


def test_nothing_is_left_behind_where_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = store_kinds()["cognitive"]
    with pytest.raises(Refused, match="No memories"):
        write_store(kind, tmp_path / "made", [], NOW)
    empty = [Memory(uid="e", store="native", ref="r", content="")]
    with pytest.raises(Refused, match="can't hold any"):
        write_store(kind, tmp_path / "made", empty, NOW)

    def fail(self: Adapter, *_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kind, "apply", fail)
    with pytest.raises(Refused, match="no space left"):
        write_store(kind, tmp_path / "made", PLAIN, NOW)
    full = apsw.FullError("database or disk is full")
    monkeypatch.setattr(store_kinds()["mem-skill"], "create", mock.Mock(side_effect=full))
    with pytest.raises(Refused, match="can't be written: database or disk is full"):
        write_store(store_kinds()["mem-skill"], tmp_path / "made", PLAIN, NOW)
    with pytest.raises(Refused, match="no such file"):
        write_store(kind, tmp_path / "missing" / "made", PLAIN, NOW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["cognitive", "mem-skill"])
def test_what_another_program_made_meanwhile_stays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, path = store_kinds()[name], tmp_path / "made"
    apply = kind.apply

    def overtaken(self: Adapter, plans: Any, token: str) -> Receipt:
        path.write_text("mine")
        return apply(self, plans, token)

    monkeypatch.setattr(kind, "apply", overtaken)
    with pytest.raises(Refused, match="already exists"):
        write_store(kind, path, PLAIN, NOW)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_folder_that_another_program_made_meanwhile_is_not_replaced(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, path = store_kinds()[name], tmp_path / "made"
    apply = kind.apply

    def overtaken(self: Adapter, plans: Any, token: str) -> Receipt:
        path.mkdir()
        return apply(self, plans, token)

    monkeypatch.setattr(kind, "apply", overtaken)
    with pytest.raises(Refused, match="already exists"):
        write_store(kind, path, PLAIN, NOW)
    assert list(path.iterdir()) == []
    assert list(tmp_path.iterdir()) == [path]


def test_many_notes_are_parsed_a_few_times_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, parsed = document.read, list[int]()

    def counted(data: bytes) -> document.Note:
        parsed.append(len(data))
        return read(data)

    monkeypatch.setattr(document, "read", counted)
    notes = [candidate(f"n{n}", f"Note {n}.", title=f"Note {n}").memory for n in range(60)]
    made = write_store(store_kinds()["claude-code"], tmp_path / "made", notes, NOW)
    assert len(made.written) == 60
    assert len(parsed) < 60 * 8


@pytest.mark.parametrize("name", NAMES)
def test_relations_are_in_the_store_or_counted_as_missing(name: str, tmp_path: Path) -> None:
    kind = store_kinds()[name]
    ends = [("a", "related_to", "b"), ("b", "contradicts", "c"), ("d", "knows", "a")]
    relations = [RelationAmong((source,), kind, (target,)) for source, kind, target in ends]
    made = write_store(kind, tmp_path / "made", PLAIN, NOW, relations)
    assert made.relations + made.relations_lost == 3
    assert len(kind(made.root).read().links) == made.relations
    assert made.relations == RELATIONS_HELD.get(name, 0)


def test_what_a_killed_export_left_is_removed_by_the_next_one_unless_it_is_at_work(tmp_path: Path) -> None:
    left, others = tmp_path / ".memtui-export-dead", tmp_path / ".memtui-export-busy"
    for folder in (left, others):
        folder.mkdir()
        (folder / "half.md").write_text("Half.")
    fd = os.open(others, os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        made = write_store(store_kinds()["claude-code"], tmp_path / "made", PLAIN, NOW)
    finally:
        os.close(fd)
    assert made.written
    assert sorted(each.name for each in tmp_path.iterdir()) == [others.name, "made"]


@pytest.mark.parametrize("name", ["claude-code", "mem-skill"])
def test_a_store_tells_how_far_it_is_and_can_be_stopped_at_any_time(name: str, tmp_path: Path) -> None:
    kind = store_kinds()[name]
    memories = [candidate(f"m{n}", f"Text {n}.", title=f"Title {n}").memory for n in range(50)]
    told: list[tuple[int, int]] = []
    control = JobControl(report=lambda done, left: told.append((done, left)))
    write_store(kind, tmp_path / "whole", memories, NOW, control=control)
    done = [each for each, _ in told]
    assert done == sorted(set(done))
    assert {sum(each) for each in told} == {50}
    assert done[0] <= 2
    assert 25 <= done[len(done) // 2] < done[-1]
    for last in (0, 3, len(told) - 2):  # before anything, while it is planned, and while it is written
        told.clear()

        def is_reached(last: int = last) -> bool:
            return len(told) >= last

        stopping = JobControl(stop=is_reached, report=lambda done, left: told.append((done, left)))
        with pytest.raises(Refused) as refused:
            write_store(kind, tmp_path / "stopped", memories, NOW, control=stopping)
        assert refused.value.code == "stopped"
        assert [each.name for each in tmp_path.iterdir()] == ["whole"]
