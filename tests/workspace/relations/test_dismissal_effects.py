"""Who dismisses a memory is told what becomes of its relations, and that is what becomes of them (SPEC 7)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import FORMATS, ContradictionStore, known, related
from tests.support.demo_workspace import Clock
from tests.support.empty_workspace import empty
from tests.support.stores import claude_code
from tests.support.stores.mcp_memory import entity, make, relation

KINDS = {"minions": "contradicts", "cognitive": "RELATED_TO"}


def told(workspace: Workspace, id: int) -> str:
    detail = workspace.detail(id)
    assert detail is not None
    return detail.consequences["dismiss"]


def rows(workspace: Workspace) -> int:
    """The relations that stores tell."""
    return int(workspace._ctx.db.one("SELECT count(*) FROM relations"))


@pytest.mark.parametrize("format", FORMATS)
def test_it_is_told_before_and_so_it_comes(format: str, tmp_path: Path) -> None:
    disputed = ContradictionStore(tmp_path, (format,)).begin()
    with disputed.opened() as workspace:
        one, other, _, outsider = disputed.four(workspace, format)
        for id in (other, outsider):
            if not any(id in each for each in related(workspace, one)):
                workspace.relate(one, KINDS.get(format, "supports"), id)
        before, knew, had, mine = (
            disputed.stands(),
            known(workspace),
            rows(workspace),
            related(workspace, one),
        )
        words = told(workspace, one)
        change = workspace.dismiss([one])
        gone = had - rows(workspace)
        if "with it" in words or gone:
            assert gone == len([each for each in mine if not each[3]])
            assert "with it" in words
        else:
            assert "stay" in words
        said = words.rpartition("; ")[2]
        assert said.startswith("its ")
        assert change.summary.endswith(said)
        workspace.undo()
        assert (disputed.stands(), known(workspace)) == (before, knew)


def test_links_of_others_lead_nowhere_meanwhile(tmp_path: Path) -> None:
    files = {
        "MEMORY.md": "- [A](a.md) — a\n- [B](b.md) — b\n- [C](c.md) — c\n",
        "a.md": claude_code.nested("a", "project", "See [[b]]."),
        "b.md": claude_code.nested("b", "project", "See [[c]]."),
        "c.md": claude_code.nested("c", "project", "Nothing."),
    }
    place = claude_code.make(tmp_path / "memory", files).root
    workspace = Workspace.open(empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(place)
    (b,) = workspace.search('"See [[c]]"').ids
    words = told(workspace, b)
    assert "its one relation goes with it, and comes back with it" in words
    assert "its one relation leads nowhere until it is restored" in words
    workspace.close()


def test_an_observation_leaves_the_entity_its_relations(tmp_path: Path) -> None:
    objects = [entity("Ana", "likes tea", "knits"), entity("Bo"), relation("Ana", "knows", "Bo")]
    place = make(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, objects)).encode()).root
    workspace = Workspace.open(empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(place)
    (tea,), (bo,) = workspace.search("tea").ids, workspace.search("subject:Bo").ids
    assert "its one relation stays" in told(workspace, tea)
    assert "its one relation goes with it" in told(workspace, bo)
    workspace.dismiss([tea])
    assert rows(workspace) == 1
    both = workspace.dismiss([bo])
    assert "its one relation goes with it" in both.summary
    assert rows(workspace) == 0
    workspace.undo()
    assert rows(workspace) == 1
    workspace.close()


def test_a_relation_between_two_that_leave_is_one(tmp_path: Path) -> None:
    objects = [entity("Ana"), entity("Bo"), entity("Cy"), relation("Ana", "knows", "Bo")]
    objects += [relation("Bo", "knows", "Cy"), relation("Cy", "is", "Cy")]
    place = make(tmp_path / "memory.jsonl", "\n".join(map(json.dumps, objects)).encode()).root
    workspace = Workspace.open(empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(place)
    ana, bo, cy = (workspace.search(f"subject:{name}").ids[0] for name in ("Ana", "Bo", "Cy"))
    (own,) = workspace.add({"content": "Keeps bees."}).ids
    workspace.relate(own, "supports", bo)
    workspace.relate(own, "refines", bo)
    change = workspace.dismiss([own, ana, bo])
    assert "their 2 relations go along" in change.summary
    assert "their 2 relations stay" in change.summary
    assert rows(workspace) == 1
    workspace.undo()
    assert "their 3 relations go along" in workspace.dismiss([ana, bo, cy]).summary
    assert rows(workspace) == 0
    workspace.close()


def test_links_between_files_that_leave_go_with_their_text(tmp_path: Path) -> None:
    files = {
        "a.md": claude_code.nested("a", "project", "See [[b]]."),
        "b.md": claude_code.nested("b", "project", "See [[c]]."),
        "c.md": claude_code.nested("c", "project", "Nothing."),
    }
    place = claude_code.make(tmp_path / "memory", files).root
    workspace = Workspace.open(empty(tmp_path / "w" / "w.db"), clock=Clock())
    workspace.attach(place)
    b, c = (workspace.search(words).ids[0] for words in ('"See [[c]]"', "Nothing"))
    words = workspace.dismiss([b, c]).summary
    assert "their one relation goes along" in words
    assert "their one relation leads nowhere" in words
    workspace.close()
