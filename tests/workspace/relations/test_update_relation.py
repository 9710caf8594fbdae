"""A stored relation is changed, reversed and removed in its store, and undo restores it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.memory.relations import RelationSpec
from memtui.memory.secrets.masking import masked_deep
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, relations_of, workspace_rows
from tests.support.demo_workspace import Clock, detail_of
from tests.support.empty_workspace import create_empty
from tests.support.stores import mcp_memory

# Two relation kinds of each format that stores relations.
STORED_KINDS = {
    "base-coat": ("supports", "refines"),
    "cognitive": ("SOLVES", "BUILDS_ON"),
    "mcp-memory": ("knows of", "was told by"),
}


def relations_between(workspace: Workspace, id: int, other: int) -> set[tuple[str, str, bool]]:
    """Return (kind, direction, whether memtui keeps it) of the relations between two memories."""
    return {
        (kind, "out" if source == id else "in", kept)
        for source, kind, target, kept in relations_of(workspace, id)
        if other in (source, target)
    }


@pytest.mark.parametrize("format", FORMATS)
def test_a_relation_is_changed_reversed_and_removed_and_undo_restores_every_byte(
    format: str, tmp_path: Path
) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    kind, new_kind = STORED_KINDS.get(format, ("supports", "refines"))
    with stores.opened() as workspace:
        id, _, _, outsider = stores.sample_ids(workspace, format)
        workspace.relate(id, kind, outsider)
        before, rows_before = stores.snapshot(), workspace_rows(workspace)
        relations = relations_between(workspace, id, outsider)
        change = workspace.update_relation(id, kind, outsider, RelationSpec(new_kind))
        assert relations_between(workspace, id, outsider) == {
            (new_kind, direction, kept) for _, direction, kept in relations
        }
        assert new_kind in change.summary
        if format in STORED_KINDS:
            assert stores.snapshot() != before
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)
        workspace.redo()
        assert relations_between(workspace, id, outsider) == {
            (new_kind, direction, kept) for _, direction, kept in relations
        }
        workspace.undo()
        workspace.update_relation(id, kind, outsider, RelationSpec(kind), reverse=True)
        assert relations_between(workspace, id, outsider) == {(kind, "in", kept) for _, _, kept in relations}
        assert relations_between(workspace, outsider, id) == {(kind, "out", kept) for _, _, kept in relations}
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)
        workspace.unrelate(id, kind, outsider)
        assert not relations_between(workspace, id, outsider)
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)


def test_a_minions_contradiction_has_a_context_and_a_direction(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("minions",)).create()
    with stores.opened() as workspace:
        id, other, *_ = stores.sample_ids(workspace, "minions")
        before = stores.snapshot()
        files = {name for name, _ in before["minions"][0].items()}
        workspace.update_relation(
            other, "contradicts", id, RelationSpec("contradicts", context="the day of the week")
        )
        (relation,) = [r for r in detail_of(workspace, other).relations if r.kind == "contradicts"]
        assert relation.context == "the day of the week"
        assert {name for name, _ in stores.snapshot()["minions"][0].items()} == files
        workspace.undo()
        assert stores.snapshot() == before
        with pytest.raises(Refused, match="minions"):
            workspace.update_relation(other, "contradicts", id, RelationSpec("supports"))
        assert stores.snapshot() == before


def test_strength_and_context_are_updated(tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, ("cognitive", "native")).create()
    with stores.opened() as workspace:
        for format, kind in (("cognitive", "SOLVES"), ("native", "helps")):
            id, _, _, other = stores.sample_ids(workspace, format)
            workspace.relate(id, kind, other, strength=0.4, context="seen once")
            workspace.update_relation(id, kind, other, RelationSpec(kind, 0.9, "seen often"))
            (relation,) = [r for r in detail_of(workspace, id).relations if r.kind == kind]
            assert (relation.strength, relation.context) == (0.9, "seen often")
            with pytest.raises(Refused, match="Nothing would change"):
                workspace.update_relation(id, kind, other, RelationSpec(kind, 0.9, "seen often"))


@pytest.mark.parametrize(
    "dialect", ["with _type", "without a type key", "CRLF", "spaced, with a last newline"]
)
def test_only_the_line_of_the_relation_changes(dialect: str, tmp_path: Path) -> None:
    path = mcp_memory.make(tmp_path / "memory.jsonl", mcp_memory.DIALECTS[dialect]).root
    before = path.read_bytes()
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(path)
    bo, ada = (next(i for i in workspace.search(f"subject:{who}").ids) for who in ("Bo", "Ada*"))
    workspace.update_relation(bo, "knows", ada, RelationSpec("wrote to"))
    lines = path.read_bytes().split(b"\n")
    changed = [n for n, (a, b) in enumerate(zip(before.split(b"\n"), lines, strict=True)) if a != b]
    assert len(changed) == 1
    assert b"wrote to" in lines[changed[0]]
    assert b"knows" not in lines[changed[0]]
    workspace.undo()
    assert path.read_bytes() == before
    workspace.unrelate(bo, "knows", ada)
    after = path.read_bytes()
    assert [line for line in before.splitlines() if b"knows" not in line] == after.splitlines()
    workspace.undo()
    assert path.read_bytes() == before
    workspace.close()


def test_a_dangling_relation_is_removed_from_either_end(tmp_path: Path) -> None:
    loose = (mcp_memory.relation("Bo", "misses", "Zed"), mcp_memory.relation("Yan", "seeks", "Bo"))
    data = "\n".join(mcp_memory.lines(*mcp_memory.GRAPH, *loose)).encode()
    path = mcp_memory.make(tmp_path / "memory.jsonl", data).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(path)
    (bo,) = workspace.search("subject:Bo").ids
    workspace.unrelate(bo, "misses", "Zed")
    assert b"misses" not in path.read_bytes()
    workspace.unrelate(bo, "seeks", "Yan", out=False)
    assert b"seeks" not in path.read_bytes()
    with pytest.raises(Refused, match="no “seeks” relation"):
        workspace.unrelate(bo, "seeks", "Yan", out=False)
    workspace.undo()
    workspace.undo()
    assert path.read_bytes() == data
    workspace.close()


@pytest.mark.parametrize("format", ["native", "base-coat"])
def test_a_relation_whose_reason_holds_a_secret_is_changed_and_removed_as_screens_show_it(
    format: str, tmp_path: Path
) -> None:
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9"
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        id, _, _, outsider = stores.sample_ids(workspace, format)
        workspace.relate(id, "supports", outsider, context=f"see {token}")
        shown = masked_deep(workspace.relation(id, "supports", outsider))
        assert token not in shown.context
        workspace.update_relation(id, "supports", outsider, replace(shown, kind="refines"), was=shown)
        assert workspace.relation(id, "refines", outsider).context == f"see {token}"
        workspace.unrelate(id, "refines", outsider, was=replace(shown, kind="refines"))
        with pytest.raises(Refused):
            workspace.relation(id, "refines", outsider)
