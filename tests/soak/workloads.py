"""Workloads: the verbs that a user runs on a store of each format, and the workspace they run in."""

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
from tests.support.contradiction_stores import MAKERS, ContradictionStores, add_pair
from tests.support.demo_workspace import NOW, Clock
from tests.support.stores.databases import execute

DAY = 86_400.0
NATIVE = "native"
NEW_WORKSPACE = "new workspace"  # only the native store, and its folder does not exist yet
DATABASES = ("founder-os", "mem-skill", "base-coat")


# Fields that a new memory needs in some formats.
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
    Scenario(NEW_WORKSPACE),
    Scenario(NATIVE),
    *(Scenario(format, journal) for format in DATABASES for journal in ("wal", "delete")),
    *(Scenario(format) for format in MAKERS if format not in DATABASES),
)


class _OwnedStores(ContradictionStores):
    """Stores made by another actor than the user, so that undo leaves them."""

    @contextmanager
    def opened(self, **more: Any) -> Iterator[Workspace]:
        with ContradictionStores.opened(self, actor="agent:seed", **more) as workspace:
            yield workspace


_NEW_WORKSPACE_VERBS: list[Verb] = [
    ["add", {"content": "The very first one."}],
    ["add", {"content": "The second one."}],
    ["relate", 1, "supports", 2],
    ["dismiss", [1]],
    ["undo"],
]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A workspace, the store in it that is checked, and the verbs to run."""

    workspace: Path
    store: Path
    verbs: list[Verb]


def prepare(folder: Path, scenario: Scenario) -> Prepared:
    """Make the stores and the workspace; the native store is always included."""
    if scenario.format == NEW_WORKSPACE:
        path = folder / "share" / "memtui" / "workspace.db"
        return Prepared(path, path, _NEW_WORKSPACE_VERBS)
    formats = (NATIVE,) if scenario.format == NATIVE else (scenario.format, NATIVE)
    stores = _OwnedStores(folder, formats)
    with deterministic("prepare"):
        stores.build()  # by the agent, not copied from a template
        with stores.opened() as workspace:
            verbs = _verbs(stores, workspace, scenario.format)
    store = stores.store_paths.get(scenario.format, stores.path)
    if scenario.journal:
        execute(store, f"PRAGMA journal_mode={scenario.journal}")
    return Prepared(stores.path, store, verbs)


def _verbs(stores: ContradictionStores, workspace: Workspace, format: str) -> list[Verb]:
    first, second, third, fourth = stores.sample_ids(workspace, format)
    contradiction = add_pair(workspace, first, second)
    duplicate = add_pair(workspace, *_duplicates(stores, workspace, format, fourth), DUPLICATE, EXACT)
    new = {"content": "A new one.", "category": "fact", "subject": "new"} | _NEW.get(format, {})
    verbs: list[Verb] = [
        ["settle", contradiction, KEEP_A],
        ["undo"],
        ["edit", [first], {"content": "Meets on Tuesday.\n\nAt nine, with coffee ☕."}],
        ["add", new, format],
        ["pin", [second]],
        ["dismiss", [third]],
        ["restore", [third]],
        ["relate", fourth, "supports", first],
        ["confirm", [third]],
        ["settle", duplicate, DISCARD_BOTH],
        ["undo"],
        ["redo"],
        ["undo"],
        ["run_decay", NOW + 400 * DAY],
    ]
    if format != NATIVE:  # before the decay run
        verbs.insert(-1, ["move", [fourth], NATIVE])
    return verbs


def _duplicates(
    stores: ContradictionStores, workspace: Workspace, format: str, fourth: int
) -> tuple[int, int]:
    """Return two memories for one verdict, of two stores if there are two."""
    return fourth, stores.sample_ids(workspace, NATIVE)[2]


# -- running a verb


def run_verb(workspace: Workspace, verb: Verb) -> list[str]:
    """Run a verb; return why parts of it were skipped, if any were."""
    name, *arguments = verb
    if name == "run_decay":
        skipped = workspace.run_decay(now=arguments[0]).skipped
    elif name == "move":
        skipped = workspace.move(*arguments).change.skipped
    else:
        skipped = getattr(workspace, name)(*arguments).skipped
    return [f"{each.code}: {each.reason}" for each in skipped]


def clock_at(number: int) -> Clock:
    """Return the clock for the verb of a number."""
    return Clock(NOW + 1200 * (number + 1))


@contextmanager
def deterministic(*seed: object) -> Iterator[None]:
    """Make ids (uuid4 uses os.urandom) and the times that do not come from a workspace's clock repeatable."""
    chance = random.Random(repr(seed))

    with (
        mock.patch("os.urandom", chance.randbytes),
        mock.patch.object(MemSkill, "clock", staticmethod(lambda: NOW)),
    ):
        yield
