"""A model of the MCP memory server's graph: what it must be after a verb, without files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.soak.owners.texts import as_stored

Relation = tuple[str, str, str]  # from, type, to
Unordered = tuple[dict[str, tuple[str, Counter[str]]], Counter[Relation]]
"""Entities by name, with their kinds and observations; and the relations."""


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity, with its observations in order."""

    name: str
    kind: str
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph in the order of its file. Names are unique, as in the server."""

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Graph:
        """Return the graph of a server's answer, with texts as memtui stores them."""
        return cls(
            tuple(
                Entity(
                    as_stored(each["name"]),
                    as_stored(each["entityType"]),
                    tuple(map(as_stored, each["observations"])),
                )
                for each in answer["entities"]
            ),
            tuple(
                (as_stored(each["from"]), as_stored(each["relationType"]), as_stored(each["to"]))
                for each in answer["relations"]
            ),
        )

    def entity(self, name: str) -> Entity | None:
        """Return the entity of a name."""
        return next((each for each in self.entities if each.name == name), None)

    @property
    def unordered(self) -> Unordered:
        """The graph without its order."""
        entities = {each.name: (each.kind, Counter(each.observations)) for each in self.entities}
        return entities, Counter(self.relations)

    # -- results of verbs; several where equal texts could be meant

    def edited(self, name: str, old: str, new: str) -> list[Graph]:
        """Change an observation; in an entity without observations, add the first."""
        entity = self.entity(name)
        if entity is not None and not entity.observations and not old:
            return [self._with(replace(entity, observations=(new,)))]
        return [
            self._with(
                replace(entity, observations=(*entity.observations[:at], new, *entity.observations[at + 1 :]))
            )
            for entity in self._named(name)
            for at, text in enumerate(entity.observations)
            if text == old
        ]

    def dismissed(self, name: str, text: str) -> list[Graph]:
        """Remove an observation; an entity without observations goes with its relations."""
        entity = self.entity(name)
        if entity is None or entity.observations:
            return [
                self._with(replace(each, observations=each.observations[:at] + each.observations[at + 1 :]))
                for each in self._named(name)
                for at, observation in enumerate(each.observations)
                if observation == text
            ]
        left = tuple(each for each in self.relations if name not in (each[0], each[2]))
        return [Graph(tuple(each for each in self.entities if each != entity), left)]

    def added(self, name: str, kind: str, text: str) -> list[Graph]:
        """Add an observation, of an entity that may be new."""
        entity = self.entity(name)
        if entity is None:
            return [replace(self, entities=(*self.entities, Entity(name, kind or "general", (text,))))]
        return [self._with(replace(entity, observations=(*entity.observations, text)))]

    def retyped(self, name: str, kind: str) -> list[Graph]:
        """Change the kind of an entity."""
        return [self._with(replace(entity, kind=kind)) for entity in self._named(name)]

    def renamed(self, old: str, new: str) -> list[Graph]:
        """Rename an entity, also in its relations."""
        if self.entity(old) is None or self.entity(new) is not None:
            return []

        def renamed(name: str) -> str:
            return new if name == old else name

        entities = tuple(replace(each, name=renamed(each.name)) for each in self.entities)
        return [Graph(entities, tuple((renamed(a), kind, renamed(b)) for a, kind, b in self.relations))]

    def related(self, relation: Relation) -> list[Graph]:
        """Add a relation."""
        return [replace(self, relations=(*self.relations, relation))]

    def unrelated(self, relation: Relation) -> list[Graph]:
        """Remove a relation."""
        if relation not in self.relations:
            return []
        return [replace(self, relations=tuple(each for each in self.relations if each != relation))]

    def relation_changed(self, old: Relation, new: Relation) -> list[Graph]:
        """Change a relation in place."""
        if old not in self.relations:
            return []
        return [replace(self, relations=tuple(new if each == old else each for each in self.relations))]

    def only_adds(self, before: Graph, text: str) -> bool:
        """Return whether the graph differs from `before` only by one memory of this text, with the entity
        that it needs and that entity's relations."""
        new_entities = [each for each in self.entities if before.entity(each.name) is None]
        names = {each.name for each in new_entities}
        others = Graph(
            tuple(each for each in self.entities if each.name not in names),
            tuple(each for each in self.relations if not names & {each[0], each[2]}),
        )
        kept = tuple(each for each in before.relations if not names & {each[0], each[2]})
        base = replace(before, relations=kept).unordered
        if new_entities:
            observations = tuple(each.observations for each in new_entities)
            return others.unordered == base and observations == ((text,) if text else (),)
        return any(
            each.observations
            and self._with(replace(each, observations=_without(each.observations, text))).unordered == base
            for each in self.entities
            if text in each.observations
        )

    def _named(self, name: str) -> list[Entity]:
        return [each for each in self.entities if each.name == name]

    def _with(self, entity: Entity) -> Graph:
        entities = tuple(entity if each.name == entity.name else each for each in self.entities)
        return replace(self, entities=entities)


def _without(observations: tuple[str, ...], text: str) -> tuple[str, ...]:
    at = observations.index(text)
    return observations[:at] + observations[at + 1 :]
