"""Before a dismissal, memtui announces what happens to the memory's relations (SPEC 7)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStores, relations_of, workspace_rows
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import create_empty
from tests.support.stores import claude_code
from tests.support.stores.mcp_memory import entity, make, relation

KINDS = {"minions": "contradicts", "cognitive": "RELATED_TO"}


def dismiss_text(workspace: Workspace, id: int) -> str:
    detail = workspace.detail(id)
    assert detail is not None
    return detail.consequences["dismiss"].text


def count_stored_relations(workspace: Workspace) -> int:
    """Return the number of relations read from stores."""
    return int(workspace._ctx.db.one("SELECT count(*) FROM relations"))


@pytest.mark.parametrize("format", FORMATS)
def test_a_dismissal_has_the_announced_effects(format: str, tmp_path: Path) -> None:
    stores = ContradictionStores(tmp_path, (format,)).create()
    with stores.opened() as workspace:
        one, other, _, outsider = stores.sample_ids(workspace, format)
        for id in (other, outsider):
            if not any(id in each for each in relations_of(workspace, one)):
                workspace.relate(one, KINDS.get(format, "supports"), id)
        before, rows_before, count_before, relations_before = (
            stores.snapshot(),
            workspace_rows(workspace),
            count_stored_relations(workspace),
            relations_of(workspace, one),
        )
        text = dismiss_text(workspace, one)
        change = workspace.dismiss([one])
        removed = count_before - count_stored_relations(workspace)
        if "with it" in text or removed:
            assert removed == len([each for each in relations_before if not each[3]])
            assert "with it" in text
        else:
            assert "stay" in text
        ending = text.rpartition("; ")[2]
        assert ending.startswith("its ")
        assert change.summary.endswith(ending)
        workspace.undo()
        assert (stores.snapshot(), workspace_rows(workspace)) == (before, rows_before)


def test_links_to_a_dismissed_file_are_announced_as_dangling(tmp_path: Path) -> None:
    files = {
        "MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n- [C](c.md) — c\n",
        "a.md": claude_code.nested("a", "project", "See [[b]]."),
        "b.md": claude_code.nested("b", "project", "See [[c]]."),
        "c.md": claude_code.nested("c", "project", "Nothing."),
    }
    path = claude_code.make(tmp_path / "memory", files).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(path)
    (b,) = workspace.search('"See [[c]]"').ids
    text = dismiss_text(workspace, b)
    assert "its relations: 1 is removed and restored with it, 1 points nowhere until it is restored" in text
    workspace.close()


def test_dismissing_an_observation_keeps_its_entitys_relations(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea", "knits"), entity("Bo"), relation("Ana", "knows", "Bo")]
    path = make(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, objects)).encode()).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(path)
    (tea,), (bo,) = workspace.search("tea").ids, workspace.search("subject:Bo").ids
    assert "its only relation stays" in dismiss_text(workspace, tea)
    assert "its only relation is removed and restored with it" in dismiss_text(workspace, bo)
    workspace.dismiss([tea])
    assert count_stored_relations(workspace) == 1
    both = workspace.dismiss([bo])
    assert "its only relation is removed and restored with it" in both.summary
    assert count_stored_relations(workspace) == 0
    workspace.undo()
    assert count_stored_relations(workspace) == 1
    workspace.close()


def test_a_relation_between_two_dismissed_memories_is_counted_once(tmp_path: Path) -> None:
    objects = [entity("Ana"), entity("Bo"), entity("Cy"), relation("Ana", "knows", "Bo")]
    objects += [relation("Bo", "knows", "Cy"), relation("Cy", "is", "Cy")]
    path = make(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, objects)).encode()).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(path)
    ana, bo, cy = (workspace.search(f"subject:{name}").ids[0] for name in ("Ana", "Bo", "Cy"))
    (own,) = workspace.add({"content": "Keeps bees."}).ids
    workspace.relate(own, "supports", bo)
    workspace.relate(own, "refines", bo)
    change = workspace.dismiss([own, ana, bo])
    assert "their relations: 2 are removed and restored with them, 2 stay unchanged" in change.summary
    assert count_stored_relations(workspace) == 1
    workspace.undo()
    assert "their relations: 3 are removed and restored with them" in workspace.dismiss([ana, bo, cy]).summary
    assert count_stored_relations(workspace) == 0
    workspace.close()


def test_links_between_two_dismissed_files_go_with_their_text(tmp_path: Path) -> None:
    files = {
        "a.md": claude_code.nested("a", "project", "See [[b]]."),
        "b.md": claude_code.nested("b", "project", "See [[c]]."),
        "c.md": claude_code.nested("c", "project", "Nothing."),
    }
    path = claude_code.make(tmp_path / "memory", files).root
    workspace = Workspace.open(create_empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(path)
    b, c = (workspace.search(text).ids[0] for text in ('"See [[c]]"', "Nothing"))
    text = workspace.dismiss([b, c]).summary
    assert "their relations: 1 is removed and restored with them, 1 points nowhere" in text
    workspace.close()
