"""A graph at a glance: a line a cluster, from which one walks in at its hub (SPEC 9)."""

from __future__ import annotations

from memtui.memory.graph.model import Cluster, Node, Overview
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.graph.relation_text import name
from memtui.tui.text.glyphs import counted, fit, grouped

BAR = 16  # cells of the bar that stands for the largest cluster


class ClusterList(VirtualList):
    """The largest first; beside each the nodes that most is tied to."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.overview: Overview | None = None

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """What is listed."""
        return self.overview.clusters if self.overview is not None else ()

    @property
    def highlighted(self) -> Cluster | None:
        """The cluster under the cursor."""
        return self.clusters[self.cursor] if self.cursor < len(self.clusters) else None

    @property
    def hub(self) -> Node | None:
        """Where one walks in."""
        cluster = self.highlighted
        return cluster.hubs[0][0] if cluster is not None and cluster.hubs else None

    def show(self, overview: Overview | None) -> None:
        """Another graph, or the same one counted again."""
        stays = self.overview is not None and overview is not None
        self.overview = overview
        self.refill(len(self.clusters), self.cursor if stays else 0, keep_place=stays)

    def parts(self, index: int, width: int) -> list[Part]:
        cluster = self.clusters[index]
        most = max(1, self.clusters[0].nodes)
        full = max(1, round(BAR * cluster.nodes / most))
        bars = width >= 74
        head: list[Part] = [
            (fit(grouped(cluster.nodes), 8, right=True), "plain"),
            (fit(grouped(cluster.edges), 9, right=True), "quiet"),
            ("  ", "plain"),
            *([("▇" * full, "bar"), ("·" * (BAR - full), "track"), ("  ", "plain")] if bars else []),
        ]
        said = "  ".join(f"{name(node)} ({grouped(many)})" for node, many in cluster.hubs)
        taken = 19 + (BAR + 2 if bars else 0)
        return [*head, (fit(said, max(1, width - taken)), "plain")]


HEADS = (fit("nodes", 8, right=True), fit("relations", 10, right=True))


def heads(width: int) -> str:
    """What the columns are."""
    return f"{HEADS[0]}{HEADS[1]} {' ' * (BAR + 2) if width >= 76 else ''} most tied together"


def whole(overview: Overview) -> str:
    """The graph in one sentence."""
    return " · ".join(
        part
        for part in (
            counted(overview.nodes, "node"),
            counted(overview.edges, "relation"),
            f"{counted(len(overview.clusters) + overview.more, 'cluster')}",
            f"{grouped(overview.alone)} tied to nothing" if overview.alone else "",
            _leading(overview.outside, "out of it"),
            _leading(overview.selves, "to themselves" if overview.selves > 1 else "to itself"),
        )
        if part
    )


def _leading(many: int, where: str) -> str:
    return f"{grouped(many)} {'lead' if many > 1 else 'leads'} {where}" if many else ""
