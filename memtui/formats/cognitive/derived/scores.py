"""How each memory of a tree stands at a moment: its score, and what lists show of it (S-24)."""

from __future__ import annotations

from dataclasses import dataclass

from memtui.formats.cognitive import document, index_entries
from memtui.formats.cognitive.paths import is_pinned
from memtui.formats.cognitive.reader import Tree
from memtui.formats.cognitive.relation_list import number
from memtui.formats.cognitive.state_file import Uses
from memtui.formats.syntax.timestamps import seconds_of
from memtui.memory.lifecycles.cognitive import score

_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Standing:
    """One memory at a moment."""

    id: str
    path: str
    title: str
    type: str
    tags: tuple[str, ...]
    content: str
    created: float
    uses: int
    score: float


def standings(tree: Tree, now: float) -> list[Standing]:
    """All memories with an id, best score first, then by path."""
    out = []
    for id, name in tree.names.items():
        found = document.read(tree[name])
        if not found.id:
            continue
        uses = tree.uses.get(id, Uses())
        created = seconds_of(found.says("created") or None)
        since = uses.last if uses.last is not None else created
        importance = number(found.says("importance"))
        share = index_entries.IMPORTANCE if importance is None else min(1.0, max(0.0, importance))
        days = 0.0 if since is None else (now - since) / _DAY
        value = score(share, uses.count, days, found.type, pinned=is_pinned(name))
        title = " ".join((found.title or id).split())
        out.append(
            Standing(
                id,
                name,
                title,
                found.type,
                found.list_of("tags"),
                found.content,
                created or 0.0,
                uses.count,
                value,
            )
        )
    return sorted(out, key=lambda each: (-each.score, each.path))
