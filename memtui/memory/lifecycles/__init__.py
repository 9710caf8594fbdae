"""Lifecycles: how memories gain, fade and end, each in its own file, as pure functions (SPEC 4)."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.lifecycles.base import Lifecycle
from memtui.memory.lifecycles.base_coat import BaseCoat
from memtui.memory.lifecycles.cognitive import Cognitive
from memtui.memory.lifecycles.founder_os import FounderOs, FounderOsDaily
from memtui.memory.lifecycles.mem_skill import MemSkill
from memtui.memory.lifecycles.minions import Minions
from memtui.memory.lifecycles.native import Memtui
from memtui.memory.lifecycles.none import NoDecay

_ALL: tuple[type[Lifecycle], ...] = (
    FounderOs,
    FounderOsDaily,
    Minions,
    MemSkill,
    BaseCoat,
    Cognitive,
    Memtui,
)
NAMES = tuple(each.name for each in _ALL)  # that a preview can try


def by_name(name: str, half_lives: Mapping[str, float] | None = None) -> Lifecycle:
    """Return the lifecycle of this name; `half_lives` are the user's own, in days by category (S-25)."""
    if name == Memtui.name:
        return Memtui(half_lives)
    known: tuple[type[Lifecycle], ...] = (*_ALL, NoDecay)
    return next(each for each in known if each.name == name)()
