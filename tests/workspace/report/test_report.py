"""What a report says is what the workspace says elsewhere."""

from __future__ import annotations

import pytest

from memtui.memory.lifecycles.outlook import Outlook
from memtui.memory.report import Leaving, Report
from memtui.workspace.context import Context
from memtui.workspace.report import decay, read
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import MCP, NOW, DemoWorkspace


def contradict(workspace: Workspace) -> None:
    """Add memories that contradict and repeat each other, and one that repeats a memory of a store."""
    for text in ("The rent is 300 euros.", "The rent is 500 euros.", "Desks are oak.", "Desks are oak."):
        workspace.add({"content": text})
    of_store = workspace.memories(workspace.ids_in(store=MCP))
    same = next(each for each in of_store if len(each.content) > 20)
    workspace.add({"content": same.content, "subject": same.subject})
    workspace.scan()


def test_the_counts_are_those_of_stats_and_the_queue(workspace: Workspace) -> None:
    workspace.dismiss(workspace.search("staging host").ids[:1])
    workspace.forget(workspace.search("allergic").ids[:1])
    contradict(workspace)
    report, stats, queue = workspace.report(), workspace.stats(), workspace.queue_counts()
    assert (report.memories, report.live, report.pinned) == (
        stats["memories"], stats["live"], stats["pinned"],
    )  # fmt: skip
    assert [(each.name, each.format, each.memories, each.live, each.pinned) for each in report.stores] == [
        tuple(each.values()) for each in stats["stores"]
    ]
    assert dict(report.statuses) == stats["status"]
    assert dict(report.categories) == stats["category"]
    assert (report.contradictions, report.duplicates) == (queue.contradictions, queue.duplicates)
    assert queue.contradictions > 0
    assert [pair.id for pair in report.pairs if pair.family == "contradiction"] == [
        pair.id for pair in workspace.pairs(family="contradiction")[:25]
    ]
    assert report.secrets == len(workspace.search("is:secret", live=False).ids)


def test_times_uses_and_entities_are_those_of_the_memories(workspace: Workspace) -> None:
    report = workspace.report()
    memories = workspace.memories(workspace.search("", live=False).ids)
    assert len(report.created) == len(memories)
    known = sorted(each.created_at for each in memories if each.created_at is not None)
    assert set(known) <= set(report.created)
    assert len(report.changed) == sum(
        each.updated_at > each.created_at
        for each in memories
        if each.updated_at is not None and each.created_at is not None
    )
    uses = sorted((each.times_used for each in memories if each.times_used), reverse=True)
    assert [count for _, count in report.used] == uses[:15]
    newest = [created for _, created in report.newest]
    assert newest == sorted(report.created, reverse=True)[:15]
    names = [(each.store, each.subject) for each in memories if each.subject]
    assert report.entity_count == len(set(names))
    for entity in report.entities:
        assert entity.memories == names.count((entity.store, entity.name))


def test_strength_and_what_leaves_are_those_of_decay(workspace: Workspace) -> None:
    report, outlook = workspace.report(), workspace.outlook()
    shown = [sum(each.buckets) + each.above + each.without for each in report.strengths]
    assert sum(shown) == report.live
    scores = {row.id: row.score for row in workspace.rows(workspace.search("").ids)}
    known = [score for score in scores.values() if score is not None]
    assert sum(sum(each.buckets[5:]) for each in report.strengths) == sum(0.5 <= each <= 1 for each in known)
    assert report.leaving.of == outlook.count
    assert dict(report.leaving.within) == {days: outlook.count_until(days) for days in (30, 90, 365)}
    assert list(report.leaving.weeks) == outlook.by_week(84)
    uids = [each.uid for each in workspace.memories(list(outlook.ids(25)))]
    assert [each.memory.uid for each in report.leaving.first] == uids
    assert report.leaving.due == len([step for step in workspace.due() if step.leaves])


def test_relations_are_those_of_the_graph(workspace: Workspace) -> None:
    picture, overview = workspace.report().relations, workspace.overview()
    assert overview is not None
    assert picture.total_relations == overview.edges - overview.outside - overview.loops
    assert picture.total_nodes == overview.nodes - overview.isolated
    (hub, count) = picture.best[0]
    assert (hub.key, count) == (overview.clusters[0].hubs[0][0].key, overview.clusters[0].hubs[0][1])
    for drawn in picture.relations:
        near = workspace.neighborhood(picture.nodes[drawn.source].key)
        assert near is not None
        there = {(edge.kind, edge.node.key) for edge in near.edges if edge.out and not edge.computed}
        assert (drawn.kind, picture.nodes[drawn.target].key) in there
    assert picture.relations


def test_a_selection_narrows_all_of_it(workspace: Workspace) -> None:
    contradict(workspace)
    ids = workspace.search(f"store:{MCP}", live=False).ids
    report = workspace.report(ids)
    assert report.memories == len(ids)
    assert {each.name for each in report.stores if each.memories} == {MCP}
    assert {each.memory.store for each in report.leaving.first} <= {MCP}
    assert report.leaving.of == report.live
    assert sum(sum(each.buckets) + each.without for each in report.strengths) == report.live
    assert report.pairs
    assert len(report.pairs) < len(workspace.report().pairs)
    assert all(MCP in (pair.a.store, pair.b.store) for pair in report.pairs)
    assert {node.store for node in report.relations.nodes} == {MCP}
    assert workspace.report(list(workspace.search("", live=False).ids)[:0]).memories == 0


def test_the_same_moment_gives_the_same_report(workspace: Workspace) -> None:
    workspace._ctx.clock = lambda: NOW
    first, second = workspace.report(), workspace.report()
    assert isinstance(first, Report)
    assert first == second


def test_what_is_written_meanwhile_is_in_no_part_of_it(
    workspace: Workspace, demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, leaving, written = demo_workspace.open(), decay.leaving, "Written in the middle of it."
    newest = workspace.find(workspace.report().newest[0][0].uid)

    def write_first(ctx: Context, outlook: Outlook) -> Leaving:
        other.edit([newest], {"content": written})
        return leaving(ctx, outlook)

    with monkeypatch.context() as patch:
        patch.setattr(read, "leaving", write_first)
        report = workspace.report()
    assert written not in [memory.content for memory, _ in report.newest]
    assert written in [memory.content for memory, _ in workspace.report().newest]
    other.close()
