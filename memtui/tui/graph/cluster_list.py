"""The whole graph as a list of clusters (SPEC 9)."""

from __future__ import annotations

from memtui.memory.graph.model import Cluster, Node, Overview
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.graph import wording
from memtui.tui.graph.relation_text import node_label
from memtui.tui.text.glyphs import fit, grouped

BAR = 16  # cells of the largest cluster's bar


class ClusterList(VirtualList):
    """One line per cluster, the largest first, with its most connected nodes."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.overview: Overview | None = None

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The clusters listed."""
        return self.overview.clusters if self.overview is not None else ()

    @property
    def highlighted(self) -> Cluster | None:
        """The cluster under the cursor."""
        return self.clusters[self.cursor] if self.cursor < len(self.clusters) else None

    @property
    def hub(self) -> Node | None:
        """The most connected node of the highlighted cluster, where walking starts."""
        cluster = self.highlighted
        return cluster.hubs[0][0] if cluster is not None and cluster.hubs else None

    def show(self, overview: Overview | None) -> None:
        """List the clusters of a graph; the cursor stays where some were listed before."""
        keep = self.overview is not None and overview is not None
        self.overview = overview
        self.refill(len(self.clusters), self.cursor if keep else 0, keep_place=keep)

    def parts(self, index: int, width: int) -> list[Part]:
        cluster = self.clusters[index]
        largest = max(1, self.clusters[0].nodes)
        full = max(1, round(BAR * cluster.nodes / largest))
        has_bar = width >= 74
        head: list[Part] = [
            (fit(grouped(cluster.nodes), 8, right=True), "plain"),
            (fit(grouped(cluster.edges), 9, right=True), "quiet"),
            ("  ", "plain"),
            *([("▇" * full, "bar"), ("·" * (BAR - full), "track"), ("  ", "plain")] if has_bar else []),
        ]
        hubs = "  ".join(f"{node_label(node)} ({grouped(count)})" for node, count in cluster.hubs)
        taken = 19 + (BAR + 2 if has_bar else 0)
        return [*head, (fit(hubs, max(1, width - taken)), "plain")]


HEADINGS = (fit("nodes", 8, right=True), fit("relations", 10, right=True))


def column_headings(width: int) -> str:
    """Return the names of the columns over a list of this width."""
    return f"{HEADINGS[0]}{HEADINGS[1]} {' ' * (BAR + 2) if width >= 76 else ''} {wording.CLUSTER_COLUMN}"


def overview_text(overview: Overview) -> str:
    """Return the counts of a whole graph in one line."""
    clusters = len(overview.clusters) + overview.omitted
    return wording.overview(
        overview.nodes, overview.edges, clusters, overview.isolated, overview.outside, overview.loops
    )
