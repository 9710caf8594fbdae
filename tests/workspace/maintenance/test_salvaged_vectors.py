"""A salvage drops vectors, which are embedded again, and keeps saved searches and the recall log."""

from __future__ import annotations

import pytest

from memtui.workspace.maintenance.salvage.salvage import salvage
from tests.support.corruption import overwrite_pages, page_numbers
from tests.support.demo_workspace import DemoWorkspace
from tests.support.fake_models import (
    FakeModel,
    assert_vectors_current,
    open_with_model,
    queued_ids,
    stored_vectors,
)


@pytest.fixture
def demo_with_vectors(demo_workspace: DemoWorkspace) -> DemoWorkspace:
    """The demo workspace with vectors, a saved search and a logged recall."""
    workspace = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    workspace.save_search("Zebras", "zebra category:fact")
    workspace._ctx.db.run(
        "INSERT INTO recall_log (at, actor, text, strategy, how, results, seconds) "
        "VALUES (1, 'agent:a', 'zebras?', 'hybrid', 'by text and meaning', '[3, 4]', 0.5)"
    )
    workspace.close()
    return demo_workspace


@pytest.mark.parametrize("tree", ["", "vectors", "vector_bits", "embedding_queue", "model"])
def test_vectors_are_embedded_again_and_searches_are_kept(
    demo_with_vectors: DemoWorkspace, tree: str
) -> None:
    with demo_with_vectors.opened() as workspace:
        before = stored_vectors(workspace)
    if tree:
        overwrite_pages(demo_with_vectors.path, *page_numbers(demo_with_vectors.path, tree))
    result = salvage(
        demo_with_vectors.path, demo_with_vectors.folder / "new" / "w.db", demo_with_vectors.clock
    )
    assert "Nothing was lost." in result.report
    workspace = open_with_model(result.target, clock=demo_with_vectors.clock)
    assert stored_vectors(workspace) == {}
    assert queued_ids(workspace) == set(before)
    workspace.embed()
    assert stored_vectors(workspace) == before
    assert_vectors_current(workspace, FakeModel())
    assert [(each.name, each.query) for each in workspace.saved_searches()] == [
        ("Zebras", "zebra category:fact")
    ]
    assert workspace._ctx.db.rows("SELECT text, results FROM recall_log") == [("zebras?", "[3, 4]")]
    codes = {each.code for each in workspace.doctor()}
    assert not codes & {"damaged", "orphans", "words", "bad-vectors", "stray-vectors", "no-vectors"}
    workspace.close()
