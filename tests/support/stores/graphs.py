"""Knowledge graphs as the agent of an MCP server writes them, with one entity as their hub."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.support.stores.mcp_memory import entity, lines, make, relation

KINDS = ("works_with", "depends_on", "part_of", "contradicts", "supports", "supersedes", "located in")
HUB = "memtui"


def random_graph(
    entities: int = 92, relations: int = 129, observations: int = 761, *, hub: int = 38, seed: int = 8
) -> list[dict[str, Any]]:
    """Return the objects of a graph, the same for a seed; `hub` of its relations are the first entity's."""
    chance = random.Random(seed)
    names = [HUB, *(f"{_word(chance)} {number}" for number in range(1, entities))]
    notes: dict[str, list[str]] = {name: [] for name in names}
    for number in range(observations):
        notes[chance.choice(names)].append(f"{_word(chance)} {_word(chance)} note {number}")
    links: dict[tuple[str, str, str], None] = {}
    while len(links) < min(hub, relations):
        name, kind = chance.choice(names[1:]), chance.choice(KINDS)
        links[(HUB, kind, name) if chance.random() < 0.6 else (name, kind, HUB)] = None
    while len(links) < relations:
        source, target = chance.sample(names[1:], 2)
        links[source, chance.choice(KINDS), target] = None
    kinds = ("person", "project", "tool", "place")
    return [
        *(entity(name, *notes[name], kind=chance.choice(kinds)) for name in names),
        *(relation(*link) for link in links),
    ]


def write_graph(folder: Path, objects: list[dict[str, Any]]) -> Path:
    """Write the objects to a graph file in `folder` and return its path."""
    return make(folder / "memory.jsonl", "\n".join(lines(*objects)).encode()).root


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(("ka", "lo", "mi", "ru", "ten", "vo", "sa")) for _ in range(3))
