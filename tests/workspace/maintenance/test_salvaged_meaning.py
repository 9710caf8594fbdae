"""What a salvage makes of what memories mean: made anew, while searches and questions are kept."""

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
def asked(demo_workspace: DemoWorkspace) -> DemoWorkspace:
    """The office with vectors, a kept search and a question."""
    workspace = open_with_model(demo_workspace.path, clock=demo_workspace.clock)
    workspace.embed()
    workspace.save_search("Zebras", "zebra category:fact")
    workspace._ctx.db.run(
        "INSERT INTO recall_log (at, actor, text, strategy, how, results, seconds) "
        "VALUES (1, 'agent:a', 'zebras?', 'hybrid', 'by meaning and words', '[3, 4]', 0.5)"
    )
    workspace.close()
    return demo_workspace


@pytest.mark.parametrize("tree", ["", "vectors", "vector_bits", "embedding_queue", "model"])
def test_vectors_are_made_anew_and_searches_are_kept(asked: DemoWorkspace, tree: str) -> None:
    with asked.opened() as workspace:
        before = stored_vectors(workspace)
    if tree:
        overwrite_pages(asked.path, *page_numbers(asked.path, tree))
    done = salvage(asked.path, asked.folder / "new" / "w.db", asked.clock)
    assert "Nothing was lost." in done.report
    workspace = open_with_model(done.target, clock=asked.clock)
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
