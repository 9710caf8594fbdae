"""The sections on entities and relations, with the drawing of the graph."""

from __future__ import annotations

from memtui.export.report import wording
from memtui.export.report.drawing import drawing
from memtui.export.report.markup import Html, element, joined, secret, stored
from memtui.export.report.tables import more, scrolling, table
from memtui.memory.graph.model import Node
from memtui.memory.report import RelationPicture, Report


def entities(report: Report) -> Html:
    """Return the entities with the most memories."""
    if not report.entities:
        return element("p", wording.NO_ENTITIES)
    rows = [
        (stored(each.name), stored(each.store), f"{each.memories:,}", f"{each.contradicted:,}")
        for each in report.entities
    ]
    shown = table(wording.ENTITY_COLUMNS, rows, numbers=(2, 3))
    return joined(shown, more(len(rows), report.entity_count))


def relations(report: Report) -> Html:
    """Return the best connected nodes, and a drawing of the relations among some of them."""
    picture = report.relations
    if not picture.best:
        return element("p", wording.NO_RELATIONS)
    rows = [(_label(node), stored(node.store), f"{count:,}") for node, count in picture.best]
    return joined(
        element("p", wording.graph_in_numbers(picture.total_nodes, picture.total_relations), class_="note"),
        table(wording.BEST_COLUMNS, rows, numbers=(2,)),
        more(len(rows), picture.total_nodes),
        element("h3", wording.GRAPH_TITLE),
        element(
            "figure",
            scrolling(drawing(picture), wording.GRAPH_TITLE),
            element("figcaption", _caption(picture)),
        ),
        element("details", element("summary", wording.SHOW_RELATIONS), _listed(picture)),
    )


def _caption(picture: RelationPicture) -> str:
    return wording.graph_caption(
        len(picture.nodes), picture.total_nodes, len(picture.relations), picture.among
    )


def _listed(picture: RelationPicture) -> Html:
    rows = [
        (_label(picture.nodes[each.source]), stored(each.kind), _label(picture.nodes[each.target]))
        for each in picture.relations
    ]
    return joined(table(wording.RELATION_COLUMNS, rows), more(len(rows), picture.among))


def _label(node: Node) -> Html:
    return stored(node.label) if node.label else secret()
