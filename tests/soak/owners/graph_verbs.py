"""Verbs of a user in memtui on a store of the MCP memory server, chosen by a seeded generator, each with what
the graph must be afterwards."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from memtui.memory.memory import Memory
from memtui.memory.results import Change, TransferResult
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, Step
from tests.soak.owners.graph_model import Graph, Relation, Unordered
from tests.soak.owners.texts import Texts

Row = tuple[int, Memory]  # a row of the workspace, and its memory


GraphStep = Step[Graph]


def memories_of(workspace: Workspace, store: str) -> list[Row]:
    """Return the memories of a store that memtui shows as present."""
    ids = list(workspace.search(f"store:{store}").ids)
    return list(zip(ids, workspace.memories(ids), strict=True))


def graph_of(workspace: Workspace, store: str) -> Unordered:
    """Return a store's graph as memtui has it, in the form of `Graph.unordered`."""
    entities: dict[str, tuple[str, Counter[str]]] = {}
    for _, memory in memories_of(workspace, store):
        name = memory.subject or ""
        kind, texts = entities.setdefault(name, (memory.category or "", Counter()))
        if memory.content or not memory.ref.startswith(f"entity:{name}"):
            texts[memory.content] += 1
        if kind != (memory.category or ""):
            entities[name] = (f"{kind} and {memory.category}", texts)
    sql = (
        "SELECT r.source, r.kind, r.target FROM relations r JOIN stores s ON s.id = r.store_id "
        "WHERE s.name = ?"
    )
    return entities, Counter(workspace._ctx.db.rows(sql, (store,)))


class GraphUser:
    """A user of the store. `state` is the graph as its owner last read it."""

    def __init__(self, chance: random.Random, texts: Texts, workspace: Workspace) -> None:
        self._chance, self._texts, self._workspace = chance, texts, workspace
        self.state = Graph()
        self.dismissed: list[tuple[int, str]] = []
        """Memories that were dismissed at some time, with their texts."""

    def choose(self) -> GraphStep:
        """Choose a verb that is possible now."""
        for _ in range(40):
            kinds = (
                *(self._edit, self._edit, self._edit, self._add, self._add, self._dismiss, self._dismiss),
                *(self._restore, self._restore, self._rename, self._retype, self._relate, self._relate),
                *(
                    self._unrelate,
                    self._update_relation,
                    self._update_relation,
                    self._supersede,
                    self._move,
                    self._pin,
                ),
            )
            step = self._chance.choice(kinds)()
            if step is not None:
                return step
        return self._add()

    def _random_row(self) -> Row | None:
        rows = memories_of(self._workspace, STORE)
        return self._chance.choice(rows) if rows else None

    def _edit(self) -> GraphStep | None:
        row = self._random_row()
        if row is None:
            return None
        (id, memory), text = row, self._texts.text()
        return Step(
            f"edit {_label(memory)} to {text!r}",
            lambda: self._workspace.edit([id], {"content": text}),
            _check_graph(lambda graph: graph.edited(memory.subject or "", memory.content, text)),
        )

    def _add(self) -> GraphStep:
        entities = self.state.entities
        new = not entities or self._chance.random() < 0.4
        subject = (self._texts.name() if new else self._chance.choice(entities).name).strip()
        entity = self.state.entity(subject)
        kind = self._texts.kind().strip() if entity is None and self._chance.random() < 0.7 else ""
        text = self._texts.text()
        fields = {"content": text, "subject": subject} | ({"category": kind} if kind else {})
        return Step(
            f"add {text!r} to {subject!r} ({kind!r})",
            lambda: self._workspace.add(fields, STORE),
            _check_graph(lambda graph: graph.added(subject, kind, text)),
            frozenset(() if subject else ("no-subject",)),
        )

    def _dismiss(self) -> GraphStep | None:
        rows = memories_of(self._workspace, STORE)
        if not rows:
            return None
        chosen = self._chance.sample(rows, min(len(rows), self._chance.choice((1, 1, 1, 2, 3))))
        self.dismissed += [(id, memory.content) for id, memory in chosen]
        return Step(
            "dismiss " + " and ".join(_label(memory) for _, memory in chosen),
            lambda: self._workspace.dismiss([id for id, _ in chosen]),
            lambda before, after, change: _mismatch(after, _without(before, _done(chosen, change))),
        )

    def _restore(self) -> GraphStep | None:
        removed = [
            (id, text)
            for id, text in dict.fromkeys(self.dismissed)
            if any(each.status == "dismissed" for each in self._workspace.memories([id]))
        ]
        if not removed:
            return None
        id, _ = self._chance.choice(removed)
        memory = self._workspace.memories([id])[0]
        text = memory.content  # it may have been edited in between
        exists = not text and self.state.entity(memory.subject or "") is not None
        return Step(
            f"restore {text!r}",
            lambda: self._workspace.restore([id]),
            lambda before, after, _: "" if after.only_adds(before, text) else f"{before}\n  became {after}",
            frozenset(("exists",) if exists else ()),
        )

    def _rename(self) -> GraphStep | None:
        row = self._random_row()
        if row is None:
            return None
        (id, memory), new = row, self._texts.name().strip()
        old = memory.subject or ""
        known = self.state.entity(new) is not None
        refusals = ("blocked",) if new == old else ("exists",) if known else ()
        return Step(
            f"rename {old!r} to {new!r}",
            lambda: self._workspace.edit([id], {"subject": new}),
            _check_graph(lambda graph: graph.renamed(old, new)),
            frozenset(refusals),
        )

    def _retype(self) -> GraphStep | None:
        row = self._random_row()
        if row is None:
            return None
        (id, memory), kind = row, self._texts.kind().strip()
        same = (kind or None) == memory.category
        refusals = ("blocked",) if same else () if kind else ("empty",)
        return Step(
            f"change the kind of {memory.subject!r} to {kind!r}",
            lambda: self._workspace.edit([id], {"category": kind}),
            _check_graph(lambda graph: graph.retyped(memory.subject or "", kind)),
            frozenset(refusals),
        )

    def _relate(self) -> GraphStep | None:
        row, other = self._random_row(), self._random_row()
        if row is None or other is None or row[0] == other[0]:
            return None
        kind = " ".join(self._texts.relation().split())
        relation = (row[1].subject or "", kind, other[1].subject or "")
        same = relation[0] == relation[2]
        refusals = ("same",) if same else ("exists",) if relation in self.state.relations else ()
        reason = self._chance.choice(("", "for a reason"))
        return Step(
            f"relate {relation}",
            lambda: self._workspace.relate(row[0], kind, other[0], context=reason),
            _check_graph(lambda graph: graph.related(relation)),
            frozenset(refusals),
        )

    def _unrelate(self) -> GraphStep | None:
        if not self.state.relations:
            return None
        relation = source, kind, target = self._chance.choice(self.state.relations)
        row, other = self._row_of_entity(source), self._row_of_entity(target)
        if row is None and other is None:
            return None

        def act() -> Change:
            if row is None:
                assert other is not None
                return self._workspace.unrelate(other[0], kind, source, out=False)
            to = target if other is None else row[0] if source == target else other[0]
            return self._workspace.unrelate(row[0], kind, to)

        return Step(f"unrelate {relation}", act, _check_graph(lambda graph: graph.unrelated(relation)))

    def _update_relation(self) -> GraphStep | None:
        if not self.state.relations:
            return None
        relation = source, kind, target = self._chance.choice(self.state.relations)
        row, other = self._row_of_entity(source), self._row_of_entity(target)
        if row is None or other is None or source == target:
            return None
        reverse = self._chance.random() < 0.4
        new = kind if reverse and self._chance.random() < 0.5 else " ".join(self._texts.relation().split())
        changed: Relation = (target, new, source) if reverse else (source, new, target)
        refusals = (
            ("unchanged",) if changed == relation else ("exists",) if changed in self.state.relations else ()
        )
        return Step(
            f"change {relation} to {changed}",
            lambda: self._update_relation_to(row[0], kind, other[0], new, reverse),
            _check_graph(lambda graph: graph.relation_changed(relation, changed)),
            frozenset(refusals),
        )

    def _update_relation_to(self, id: int, kind: str, other: int, new: str, reverse: bool) -> Change:
        to = replace(self._workspace.relation(id, kind, other), kind=new)
        return self._workspace.update_relation(id, kind, other, to, reverse=reverse)

    def _row_of_entity(self, name: str) -> Row | None:
        rows = [each for each in memories_of(self._workspace, STORE) if each[1].subject == name]
        return self._chance.choice(rows) if rows else None

    def _supersede(self) -> GraphStep | None:
        loser, winner = self._random_row(), self._random_row()
        if loser is None or winner is None or loser[0] == winner[0]:
            return None
        return Step(
            f"supersede {_label(loser[1])} with {_label(winner[1])}",
            lambda: self._workspace.supersede([loser[0]], winner[0]),
            _check_graph(lambda graph: _without(graph, [loser])),
        )

    def _move(self) -> GraphStep | None:
        row = self._random_row()
        if row is None or not row[1].content.strip():
            return None
        return Step(
            f"move {_label(row[1])} to the native store",
            lambda: self._workspace.move([row[0]], "native"),
            _check_graph(lambda graph: _without(graph, [row])),
        )

    def _pin(self) -> GraphStep | None:
        row = self._random_row()
        if row is None or row[1].pinned:
            return None
        return Step(
            f"pin {_label(row[1])}",
            lambda: self._workspace.pin([row[0]]),
            _check_graph(lambda graph: [graph]),
        )


def _check_graph(results: Callable[[Graph], Sequence[Graph]]) -> Callable[[Graph, Graph, object], str]:
    return lambda before, after, _: _mismatch(after, results(before))


def _mismatch(after: Graph, expected: Sequence[Graph]) -> str:
    return "" if after in expected else f"the server reads {after}\n  and not {expected}"


def _done(chosen: Sequence[Row], change: Change | TransferResult) -> list[Row]:
    """Return those of several memories that the change reached."""
    assert isinstance(change, Change)
    return [each for each in chosen if each[0] in change.ids]


def _without(graph: Graph, removed: Sequence[Row]) -> list[Graph]:
    graphs = [graph]
    for _, memory in removed:
        graphs = [after for each in graphs for after in each.dismissed(memory.subject or "", memory.content)]
    return graphs


def _label(memory: Memory) -> str:
    return f"{memory.content[:60]!r} of {memory.subject!r}"
