"""What a person does in a workspace over a store of each format, and where that workspace comes from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from memtui.formats.mem_skill import MemSkill
from memtui.memory.contradictions.pairs import DISCARD_BOTH, DUPLICATE, EXACT, KEEP_A
from memtui.workspace.workspace import Workspace
from tests.support.contradiction_stores import MAKERS, ContradictionStore, pair
from tests.support.demo_workspace import NOW, Clock
from tests.support.stores.databases import alter

DAY = 86_400.0
NATIVE = "native"
NEW = "new workspace"  # no store but memtui's own, and not even a folder for it
DATABASES = ("founder-os", "mem-skill", "base-coat")


# What a new memory needs in some formats.
_NEW = {
    "mem-skill": {"category": "other"},
    "base-coat-shared": {"subject": "coffee:beans"},
    "cognitive": {"category": "fix", "title": "A new one"},
    "claude-code": {"category": "project", "title": "A new one"},
}

Verb = list[Any]
"""The name of a verb and its arguments."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A store of a format, a database in WAL or in rollback mode."""

    format: str
    journal: str = ""

    @property
    def name(self) -> str:
        return f"{self.format} ({self.journal})" if self.journal else self.format


SCENARIOS = (
    Scenario(NEW),
    Scenario(NATIVE),
    *(Scenario(format, journal) for format in DATABASES for journal in ("wal", "delete")),
    *(Scenario(format) for format in MAKERS if format not in DATABASES),
)


class _OwnedStores(ContradictionStore):
    """What is there at the start is not the person's doing, so undo leaves it."""

    @contextmanager
    def opened(self, **more: Any) -> Iterator[Workspace]:
        with ContradictionStore.opened(self, actor="agent:seed", **more) as workspace:
            yield workspace


_FIRST_VERBS: list[Verb] = [
    ["add", {"content": "The very first one."}],
    ["add", {"content": "The second one."}],
    ["relate", 1, "supports", 2],
    ["dismiss", [1]],
    ["undo"],
]


@dataclass(frozen=True, slots=True)
class Furnished:
    """A workspace, the store in it that is looked at, and what is to be done there."""

    workspace: Path
    store: Path
    verbs: list[Verb]


def furnish(folder: Path, scenario: Scenario) -> Furnished:
    """Make the stores and the workspace; memtui's own store is always there, too."""
    if scenario.format == NEW:
        path = folder / "share" / "memtui" / "workspace.db"
        return Furnished(path, path, _FIRST_VERBS)
    formats = (NATIVE,) if scenario.format == NATIVE else (scenario.format, NATIVE)
    stores = _OwnedStores(folder, formats)
    with deterministic("furnish"):
        stores.make()  # in the name of the agent, not copied from what others made
        with stores.opened() as workspace:
            verbs = _verbs(stores, workspace, scenario.format)
    store = stores.places.get(scenario.format, stores.path)
    if scenario.journal:
        alter(store, f"PRAGMA journal_mode={scenario.journal}")
    return Furnished(stores.path, store, verbs)


def _verbs(stores: ContradictionStore, workspace: Workspace, format: str) -> list[Verb]:
    one, two, third, fourth = stores.four(workspace, format)
    clash = pair(workspace, one, two)
    same = pair(workspace, *_equals(stores, workspace, format, fourth), DUPLICATE, EXACT)
    new = {"content": "A new one.", "category": "fact", "subject": "new"} | _NEW.get(format, {})
    verbs: list[Verb] = [
        ["settle", clash, KEEP_A],
        ["undo"],
        ["edit", [one], {"content": "Meets on Tuesday.\n\nAt nine, with coffee ☕."}],
        ["add", new, format],
        ["pin", [two]],
        ["dismiss", [third]],
        ["restore", [third]],
        ["relate", fourth, "supports", one],
        ["confirm", [third]],
        ["settle", same, DISCARD_BOTH],
        ["undo"],
        ["redo"],
        ["undo"],
        ["run_decay", NOW + 400 * DAY],
    ]
    if format != NATIVE:  # before time takes it
        verbs.insert(-1, ["move", [fourth], NATIVE])
    return verbs


def _equals(stores: ContradictionStore, workspace: Workspace, format: str, fourth: int) -> tuple[int, int]:
    """Two memories that one verdict takes: of two stores, if there are two."""
    return fourth, stores.four(workspace, NATIVE)[2]


# -- doing it


def do(workspace: Workspace, verb: Verb) -> list[str]:
    """Carry a verb out; why parts of it were left, if any were."""
    name, *arguments = verb
    if name == "run_decay":
        skipped = workspace.run_decay(now=arguments[0]).skipped
    elif name == "move":
        skipped = workspace.move(*arguments).change.skipped
    else:
        skipped = getattr(workspace, name)(*arguments).skipped
    return [f"{each.code}: {each.why}" for each in skipped]


def clock_at(number: int) -> Clock:
    """The time at which the verb of this number is carried out."""
    return Clock(NOW + 1200 * (number + 1))


@contextmanager
def deterministic(*seed: object) -> Iterator[None]:
    """Ids (uuid4 asks os.urandom) are the same each time, and times that no workspace's clock tells."""
    chance = random.Random(repr(seed))

    with (
        mock.patch("os.urandom", chance.randbytes),
        mock.patch.object(MemSkill, "clock", staticmethod(lambda: NOW)),
    ):
        yield
