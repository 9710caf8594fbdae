"""`memtui graph` and `memtui clusters`: the relations of a memory, and connected memories (SPEC 9)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.cli.commands.read import wording
from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.memory.graph.model import Edge, Neighborhood, Node
from memtui.serialization.graph import neighborhood_as_json, overview_as_json

if TYPE_CHECKING:
    from argparse import Namespace

    from memtui.workspace.workspace import Workspace


PROGRESS_AFTER = 1.0  # seconds of work before progress is shown


def graph(args: Namespace, output: Output) -> None:
    """`memtui graph UID`: print the relations of a memory in both directions, with where each comes from."""
    with fresh(args, output) as opened:
        (id,) = ids_of(opened, [args.uid])
        key = opened.node_key(id)
        found = opened.neighborhood(key, hops=args.hops, near=args.near) if key is not None else None
        assert found is not None  # the memory itself exists
        uids = _uids(opened, found)
        if output.json:
            output.data(neighborhood_as_json(found, uids))
            return
        center = found.center
        output.line(wording.node_heading(center.label, center.count, center.store))
        output.table(_rows(found, uids))
        if found.total > len(found.edges):
            output.note(wording.relations_shown(found.total, len(found.edges)))
        if not found.edges:
            output.note(wording.NO_RELATIONS)


def clusters(args: Namespace, output: Output) -> None:
    """`memtui clusters [QUERY]`: print the connected parts of the graph, largest first."""
    with fresh(args, output) as opened:
        ids = None
        if args.query:
            hits = opened.search(args.query)
            ids = (opened.search(args.query, sort="newest") if hits.capped else hits).ids
        began, shown = time.monotonic(), False

        def report(part: float) -> None:
            nonlocal shown
            if shown or time.monotonic() - began > PROGRESS_AFTER:
                shown = True
                output.progress(wording.COUNTING, part)

        found = opened.overview(ids, report)
        if shown:
            output.progress(wording.COUNTING, 1.0)
        assert found is not None  # it is not stopped
        uids = _uids_of(opened, [node for cluster in found.clusters for node, _ in cluster.hubs])
        if output.json:
            output.data(overview_as_json(found, uids))
            return
        output.table(
            (
                f"{each.nodes:,}",
                f"{each.edges:,}",
                ", ".join(f"{node.label} ({relations:,})" for node, relations in each.hubs),
            )
            for each in found.clusters
        )
        output.note(
            wording.overview(
                found.nodes,
                found.edges,
                len(found.clusters) + found.omitted,
                found.isolated,
                found.outside,
                found.loops,
            )
        )


def _rows(found: Neighborhood, uids: dict[int, str]) -> Iterator[tuple[str, ...]]:
    for edge in found.edges:
        yield _row(edge, uids, "")
        for beyond in found.beyond.get(edge.node.key, ()):
            yield _row(beyond, uids, "  ")


def _row(edge: Edge, uids: dict[int, str], indent: str) -> tuple[str, ...]:
    """Return direction, kind, strength, origin, the uid at the other end, and its label with the reason."""
    times = f" ×{edge.times}" if edge.times > 1 else ""
    strength = "" if edge.strength is None else f"{edge.strength:.2f}"
    uid = uids.get(edge.node.id, "-") if edge.node.id is not None else "-"
    direction = f"{indent}{'->' if edge.out else '<-'}"
    reason = edge.context or edge.body
    label = f"{edge.node.label} — {reason}" if reason else edge.node.label
    return direction, f"{edge.kind or wording.NO_KIND}{times}", strength, edge.origin.value, uid, label


def _uids(opened: Workspace, found: Neighborhood) -> dict[int, str]:
    edges = [*found.edges, *(each for beyond in found.beyond.values() for each in beyond)]
    ends = [id for edge in edges for id in edge.ends if id is not None]
    nodes = _uids_of(opened, [found.center, *(edge.node for edge in edges)])
    return nodes | _uids_by_id(opened, ends)


def _uids_of(opened: Workspace, nodes: list[Node]) -> dict[int, str]:
    return _uids_by_id(opened, [node.id for node in nodes if node.id is not None])


def _uids_by_id(opened: Workspace, ids: list[int]) -> dict[int, str]:
    wanted = sorted(set(ids))
    return dict(zip(wanted, (memory.uid for memory in opened.memories(wanted)), strict=True))
