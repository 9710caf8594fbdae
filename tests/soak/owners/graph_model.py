"""What the MCP memory server's graph must be after a verb: a model without files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.soak.owners.texts import as_stored

Relation = tuple[str, str, str]  # from, type, to
Unordered = tuple[dict[str, tuple[str, Counter[str]]], Counter[Relation]]
"""Entities by name, with what they are and say; and the relations."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity, in the order in which it says things."""

    name: str
    kind: str
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph in the order of its file. Names are unique, as the server keeps them."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Graph:
        """What the server answered, as far as memtui can hold it."""
        return cls(
            tuple(
                Entity(as_stored(each["name"]), as_stored(each["entityType"]), tuple(map(as_stored, each["observations"])))
                for each in answer["entities"]
            ),
            tuple(
                (as_stored(each["from"]), as_stored(each["relationType"]), as_stored(each["to"]))
                for each in answer["relations"]
            ),
        )

    def entity(self, name: str) -> Entity | None:
        """The entity of a name."""
        return next((each for each in self.entities if each.name == name), None)

    @property
    def unordered(self) -> Unordered:
        """The same, whatever its order."""
        entities = {each.name: (each.kind, Counter(each.said)) for each in self.entities}
        return entities, Counter(self.relations)

    # -- what verbs make of it; several answers where equal texts could be meant

    def edited(self, name: str, old: str, new: str) -> list[Graph]:
        """An observation says something else; what a bare entity is told becomes its first."""
        entity = self.entity(name)
        if entity is not None and not entity.said and not old:
            return [self._with(replace(entity, said=(new,)))]
        return [
            self._with(replace(entity, said=(*entity.said[:at], new, *entity.said[at + 1 :])))
            for entity in self._named(name)
            for at, text in enumerate(entity.said)
            if text == old
        ]

    def dismissed(self, name: str, text: str) -> list[Graph]:
        """An observation is gone; a bare entity goes with its relations."""
        entity = self.entity(name)
        if entity is None or entity.said:
            return [
                self._with(replace(each, said=each.said[:at] + each.said[at + 1 :]))
                for each in self._named(name)
                for at, said in enumerate(each.said)
                if said == text
            ]
        left = tuple(each for each in self.relations if name not in (each[0], each[2]))
        return [Graph(tuple(each for each in self.entities if each != entity), left)]

    def added(self, name: str, kind: str, text: str) -> list[Graph]:
        """An observation more, of an entity that may be new."""
        entity = self.entity(name)
        if entity is None:
            return [replace(self, entities=(*self.entities, Entity(name, kind or "general", (text,))))]
        return [self._with(replace(entity, said=(*entity.said, text)))]

    def retyped(self, name: str, kind: str) -> list[Graph]:
        """An entity is something else."""
        return [self._with(replace(entity, kind=kind)) for entity in self._named(name)]

    def renamed(self, old: str, new: str) -> list[Graph]:
        """An entity is called otherwise, in its relations, too."""
        if self.entity(old) is None or self.entity(new) is not None:
            return []

        def now(name: str) -> str:
            return new if name == old else name

        entities = tuple(replace(each, name=now(each.name)) for each in self.entities)
        return [Graph(entities, tuple((now(a), kind, now(b)) for a, kind, b in self.relations))]

    def related(self, relation: Relation) -> list[Graph]:
        """One relation more."""
        return [replace(self, relations=(*self.relations, relation))]

    def unrelated(self, relation: Relation) -> list[Graph]:
        """One relation less."""
        if relation not in self.relations:
            return []
        return [replace(self, relations=tuple(each for each in self.relations if each != relation))]

    def retied(self, was: Relation, now: Relation) -> list[Graph]:
        """A relation says something else, in its place."""
        if was not in self.relations:
            return []
        return [replace(self, relations=tuple(now if each == was else each for each in self.relations))]

    def only_adds(self, before: Graph, text: str) -> bool:
        """Whether all that is more here than in `before` is one memory of this text, with the entity
        that it needs and the relations of that."""
        more = [each for each in self.entities if before.entity(each.name) is None]
        names = {each.name for each in more}
        others = Graph(
            tuple(each for each in self.entities if each.name not in names),
            tuple(each for each in self.relations if not names & {each[0], each[2]}),
        )
        apart = tuple(each for each in before.relations if not names & {each[0], each[2]})
        base = replace(before, relations=apart).unordered
        if more:
            said = tuple(each.said for each in more)
            return others.unordered == base and said == ((text,) if text else (),)
        return any(
            each.said and self._with(replace(each, said=_without(each.said, text))).unordered == base
            for each in self.entities
            if text in each.said
        )

    def _named(self, name: str) -> list[Entity]:
        return [each for each in self.entities if each.name == name]

    def _with(self, entity: Entity) -> Graph:
        entities = tuple(entity if each.name == entity.name else each for each in self.entities)
        return replace(self, entities=entities)


def _without(said: tuple[str, ...], text: str) -> tuple[str, ...]:
    at = said.index(text)
    return said[:at] + said[at + 1 :]
