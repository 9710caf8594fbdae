"""A relation that stands is changed, turned round and taken away where it stands; undo brings all back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.relations import RelationSpec
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStore, known, related
from tests.support.demo_workspace import Clock, detail_of
from tests.support.empty_workspace import empty
from tests.support.stores import mcp_memory

# For each format that tells relations: a kind that it has, and another one.
OWN = {
    "base-coat": ("supports", "refines"),
    "cognitive": ("SOLVES", "BUILDS_ON"),
    "mcp-memory": ("knows of", "was told by"),
}


def kinds(workspace: Workspace, id: int, other: int) -> set[tuple[str, str, bool]]:
    """How one memory is related to another: kind, which way, whether memtui keeps it."""
    return {
        (kind, "out" if source == id else "in", kept)
        for source, kind, target, kept in related(workspace, id)
        if other in (source, target)
    }


@pytest.mark.parametrize("format", FORMATS)
def test_it_is_changed_and_taken_back_to_the_byte(format: str, tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, (format,)).begin()
    kind, another = OWN.get(format, ("supports", "refines"))
    with disputed.opened() as workspace:
        one, _, _, outsider = disputed.four(workspace, format)
        workspace.relate(one, kind, outsider)
        before, knew = disputed.stands(), known(workspace)
        told = kinds(workspace, one, outsider)
        change = workspace.retie(one, kind, outsider, RelationSpec(another))
        assert kinds(workspace, one, outsider) == {(another, way, kept) for _, way, kept in told}
        assert another in change.summary
        if format in OWN:
            assert disputed.stands() != before
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)
        workspace.redo()
        assert kinds(workspace, one, outsider) == {(another, way, kept) for _, way, kept in told}
        workspace.undo()
        workspace.retie(one, kind, outsider, RelationSpec(kind), reverse=True)
        assert kinds(workspace, one, outsider) == {(kind, "in", kept) for _, _, kept in told}
        assert kinds(workspace, outsider, one) == {(kind, "out", kept) for _, _, kept in told}
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)
        workspace.unrelate(one, kind, outsider)
        assert not kinds(workspace, one, outsider)
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)


def test_minions_say_why_and_which_way(tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, ("minions",)).begin()
    with disputed.opened() as workspace:
        one, other, *_ = disputed.four(workspace, "minions")
        before = disputed.stands()
        files = {name for name, _ in before["minions"][0].items()}
        workspace.retie(other, "contradicts", one, RelationSpec("contradicts", context="the day of the week"))
        (relation,) = [r for r in detail_of(workspace, other).relations if r.kind == "contradicts"]
        assert relation.context == "the day of the week"
        assert {name for name, _ in disputed.stands()["minions"][0].items()} == files
        workspace.undo()
        assert disputed.stands() == before
        with pytest.raises(Refused, match="minions"):
            workspace.retie(other, "contradicts", one, RelationSpec("supports"))
        assert disputed.stands() == before


def test_strength_and_words_stand_where_the_format_has_them(tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, ("cognitive", "native")).begin()
    with disputed.opened() as workspace:
        for format, kind in (("cognitive", "SOLVES"), ("native", "helps")):
            one, _, _, other = disputed.four(workspace, format)
            workspace.relate(one, kind, other, strength=0.4, context="seen once")
            workspace.retie(one, kind, other, RelationSpec(kind, 0.9, "seen often"))
            (relation,) = [r for r in detail_of(workspace, one).relations if r.kind == kind]
            assert (relation.strength, relation.context) == (0.9, "seen often")
            with pytest.raises(Refused, match="says so already"):
                workspace.retie(one, kind, other, RelationSpec(kind, 0.9, "seen often"))


@pytest.mark.parametrize(
    "dialect", ["with _type", "without a type key", "CRLF", "spaced, with a last newline"]
)
def test_in_a_graph_only_the_lines_of_the_relation_change(dialect: str, tmp_path: Path) -> None:
    place = mcp_memory.make(tmp_path / "memory.jsonl", mcp_memory.DIALECTS[dialect]).root
    before = place.read_bytes()
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(place)
    bo, ada = (next(i for i in workspace.search(f"subject:{who}").ids) for who in ("Bo", "Ada*"))
    workspace.retie(bo, "knows", ada, RelationSpec("wrote to"))
    lines = place.read_bytes().split(b"\n")
    changed = [n for n, (a, b) in enumerate(zip(before.split(b"\n"), lines, strict=True)) if a != b]
    assert len(changed) == 1
    assert b"wrote to" in lines[changed[0]]
    assert b"knows" not in lines[changed[0]]
    workspace.undo()
    assert place.read_bytes() == before
    workspace.unrelate(bo, "knows", ada)
    left = place.read_bytes()
    assert [line for line in before.splitlines() if b"knows" not in line] == left.splitlines()
    workspace.undo()
    assert place.read_bytes() == before
    workspace.close()


def test_what_leads_nowhere_can_be_taken_away_from_either_end(tmp_path: Path) -> None:
    loose = (mcp_memory.relation("Bo", "misses", "Zed"), mcp_memory.relation("Yan", "seeks", "Bo"))
    data = "\n".join(mcp_memory.lines(*mcp_memory.GRAPH, *loose)).encode()
    place = mcp_memory.make(tmp_path / "memory.jsonl", data).root
    workspace = Workspace.open(empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(place)
    (bo,) = workspace.search("subject:Bo").ids
    workspace.unrelate(bo, "misses", "Zed")
    assert b"misses" not in place.read_bytes()
    workspace.unrelate(bo, "seeks", "Yan", out=False)
    assert b"seeks" not in place.read_bytes()
    with pytest.raises(Refused, match="no relation"):
        workspace.unrelate(bo, "seeks", "Yan", out=False)
    workspace.undo()
    workspace.undo()
    assert place.read_bytes() == data
    workspace.close()
