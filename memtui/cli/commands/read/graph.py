"""`memtui graph` and `clusters`: what a memory is tied to, and what hangs together (SPEC 9)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from memtui.cli.runtime.open_workspace import fresh
from memtui.cli.runtime.output import Output
from memtui.cli.runtime.uids import ids_of
from memtui.memory.graph.model import Around, Edge, Node
from memtui.serialization.graph import neighborhood_as_json, overview_as_json
from memtui.text import counted

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


SOON = 1.0  # seconds within which nobody needs to hear how far it is


def graph(args: Any, output: Output) -> None:
    """`memtui graph UID`: what leads there, and what it leads to; computed ones are said to be so."""
    with fresh(args, output) as opened:
        (id,) = ids_of(opened, [args.uid])
        spot = opened.spot(id)
        found = opened.around(spot, hops=args.hops, near=args.near) if spot is not None else None
        assert found is not None  # the memory itself stands there
        uids = _uids(opened, found)
        if output.json:
            output.data(neighborhood_as_json(found, uids))
            return
        centre = found.centre
        many = f" ({centre.count:,} memories)" if centre.count > 1 else ""
        output.line(f"{centre.label}{many}, {centre.store}")
        output.table(_lines(found, uids))
        if found.total > len(found.edges):
            output.note(f"{found.total:,} relations in all; {len(found.edges):,} are shown.")
        if not found.edges:
            output.note("Nothing is tied to it. memtui relate ties it to another memory.")


def clusters(args: Any, output: Output) -> None:
    """`memtui clusters [QUERY]`: the parts of the graph that hang together, the largest first."""
    with fresh(args, output) as opened:
        ids = None
        if args.query:
            hits = opened.search(args.query)
            ids = (opened.search(args.query, sort="newest") if hits.capped else hits).ids
        began, drawn = time.monotonic(), False

        def far(part: float) -> None:
            nonlocal drawn
            if drawn or time.monotonic() - began > SOON:
                drawn = True
                output.progress("Looking", part)

        found = opened.overview(ids, far)
        if drawn:
            output.progress("Looking", 1.0)
        assert found is not None  # nobody stops it
        uids = _uids_of(opened, [node for cluster in found.clusters for node, _ in cluster.hubs])
        if output.json:
            output.data(overview_as_json(found, uids))
            return
        output.table(
            (
                f"{each.nodes:,}",
                f"{each.edges:,}",
                ", ".join(f"{node.label} ({many:,})" for node, many in each.hubs),
            )
            for each in found.clusters
        )
        output.note(
            f"{counted(found.nodes, 'node')}, {counted(found.edges, 'relation')}, "
            f"{counted(len(found.clusters) + found.more, 'cluster')}; "
            f"tied to no other: {found.alone:,}; leading out of it: {found.outside:,}; "
            f"to themselves: {found.selves:,}."
        )


def _lines(found: Around, uids: dict[int, str]) -> Iterator[tuple[str, ...]]:
    for edge in found.edges:
        yield _line(edge, uids, "")
        for beyond in found.beyond.get(edge.node.spot, ()):
            yield _line(beyond, uids, "  ")


def _line(edge: Edge, uids: dict[int, str], indent: str) -> tuple[str, ...]:
    """Which way, the kind, the strength, who says so, the uid at the other end, what it is called, why."""
    times = f" ×{edge.times}" if edge.times > 1 else ""
    strength = "" if edge.strength is None else f"{edge.strength:.2f}"
    uid = uids.get(edge.node.id, "-") if edge.node.id is not None else "-"
    way = f"{indent}{'->' if edge.out else '<-'}"
    why = edge.context or edge.body
    label = f"{edge.node.label} — {why}" if why else edge.node.label
    return way, f"{edge.kind or '(no kind)'}{times}", strength, edge.origin.value, uid, label


def _uids(opened: Workspace, found: Around) -> dict[int, str]:
    edges = [*found.edges, *(each for beyond in found.beyond.values() for each in beyond)]
    ends = [id for edge in edges for id in edge.ends if id is not None]
    nodes = _uids_of(opened, [found.centre, *(edge.node for edge in edges)])
    return nodes | _uids_by_id(opened, ends)


def _uids_of(opened: Workspace, nodes: list[Node]) -> dict[int, str]:
    return _uids_by_id(opened, [node.id for node in nodes if node.id is not None])


def _uids_by_id(opened: Workspace, ids: list[int]) -> dict[int, str]:
    wanted = sorted(set(ids))
    return dict(zip(wanted, (memory.uid for memory in opened.memories(wanted)), strict=True))
