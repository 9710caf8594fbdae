"""A knowledge graph as an MCP server's agent writes one: entities, observations, relations, one hub."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.support.stores.mcp_memory import entity, lines, make, relation

KINDS = ("works_with", "depends_on", "part_of", "contradicts", "supports", "supersedes", "located in")
HUB = "memtui"


def made(
    entities: int = 92, relations: int = 129, observations: int = 761, *, hub: int = 38, seed: int = 8
) -> list[dict[str, Any]]:
    """The objects of such a graph, always the same ones; `hub` relations are the first entity's."""
    chance = random.Random(seed)
    names = [HUB, *(f"{_word(chance)} {number}" for number in range(1, entities))]
    said: dict[str, list[str]] = {name: [] for name in names}
    for number in range(observations):
        said[chance.choice(names)].append(f"{_word(chance)} {_word(chance)} note {number}")
    told: dict[tuple[str, str, str], None] = {}
    while len(told) < min(hub, relations):
        other, kind = chance.choice(names[1:]), chance.choice(KINDS)
        told[(HUB, kind, other) if chance.random() < 0.6 else (other, kind, HUB)] = None
    while len(told) < relations:
        one, other = chance.sample(names[1:], 2)
        told[one, chance.choice(KINDS), other] = None
    kinds = ("person", "project", "tool", "place")
    return [
        *(entity(name, *said[name], kind=chance.choice(kinds)) for name in names),
        *(relation(*each) for each in told),
    ]


def place(folder: Path, objects: list[dict[str, Any]]) -> Path:
    """A file with these objects."""
    return make(folder / "memory.jsonl", "\n".join(lines(*objects)).encode()).root


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(("ka", "lo", "mi", "ru", "ten", "vo", "sa")) for _ in range(3))
