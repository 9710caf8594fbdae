"""Stores with memories about to leave, one store for each lifecycle, and a clock that is set by day.

Times are given in days from START, when the stores are attached.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memtui.memory.encoding import iso
from memtui.memory.memory import Memory
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import find_id
from tests.support.empty_workspace import create_empty
from tests.support.stores import base_coat, cognitive, founder_os, mem_skill, minions
from tests.support.stores.databases import execute
from tests.support.stores.files import read_tree

DAY = 86_400.0
START = datetime(2026, 9, 22, 8, tzinfo=UTC).timestamp()
FOUNDER, MINIONS, SKILL, COAT, COGNITIVE = (
    "founder-os:acme",
    "minions:scout",
    "mem-skill:mira",
    "base-coat:team",
    "cognitive:brain",
)


def at_day(day: float) -> float:
    """Return the time of a day."""
    return START + day * DAY


def iso_day(day: float) -> str:
    """Return the time of a day as ISO text."""
    return str(iso(at_day(day)))


@dataclass
class Calendar:
    """A clock that stands still until it is set."""

    now: float = START

    def __call__(self) -> float:
        return self.now

    def set_day(self, day: float) -> float:
        """Set the clock to a day, and return its time."""
        self.now = at_day(day)
        return self.now


@dataclass
class LifecycleStores:
    """The stores in `folder`, and a workspace for them."""

    folder: Path
    calendar: Calendar = field(default_factory=Calendar)

    @property
    def path(self) -> Path:
        """The workspace file."""
        return self.folder / "w" / "workspace.db"

    @property
    def founder(self) -> Path:
        return self.folder / "acme" / ".memory" / "memory.db"

    @property
    def minions(self) -> Path:
        return self.folder / "scout" / ".minions"

    @property
    def skill(self) -> Path:
        return self.folder / "mira" / "mem.db"

    @property
    def coat(self) -> Path:
        return self.folder / "team" / ".basecoat" / "memory.db"

    @property
    def cognitive(self) -> Path:
        return self.folder / "brain" / "memory"

    @contextmanager
    def opened(self, **options: Any) -> Iterator[Workspace]:  # options of Workspace.open
        """Open the workspace, and close it afterwards."""
        workspace = Workspace.open(create_empty(self.path), **{"clock": self.calendar, **options})
        try:
            yield workspace
        finally:
            workspace.close()

    def snapshot(self) -> dict[str, Any]:
        """Return the content of all stores that exist: typed values of databases, bytes of files."""
        found: dict[str, Any] = {}
        for path in (self.founder, self.skill, self.coat):
            if path.exists():
                found[str(path)] = mem_skill.rows_in(path)
        for root in (self.minions, self.cognitive):
            if root.exists():
                found[str(root)] = read_tree(root), sorted(map(str, root.rglob("*")))
        return found


# -- content of the stores


def row(id: str, number: int, *, last: float, **more: Any) -> dict[str, Any]:
    """A memory of Founder OS, last used on the day `last`."""
    return {
        "id": id * 8,
        "key": id,
        "category": "fact",
        "content": f"Founder {id}.",
        "source_plugin": "P11",
        "confidence": number,
        "status": "confirmed",
        "created_at": int(at_day(-400)),
        "updated_at": int(at_day(-400)),
        "last_used_at": int(at_day(last)),
        **more,
    }


# Unused since day −35: weekly steps fall on days 2, 9, 16 …, daily ones on each day.
ROWS = (
    row("weekly", 50, last=-35),
    row("weak", 14, last=-35),
    row("dismissed", 14, last=-35, status="dismissed", expires_at=int(at_day(3))),
    row("keeper", 14, last=-35, expires_at=int(at_day(3))),
    row("brief", 90, last=0, expires_at=int(at_day(3))),
    row("fresh", 90, last=0),
)
ADAPTATION = {
    "id": "ad01",
    "memory_id": "weak" * 8,
    "plugin": "P11",
    "description": "Drafts reminders.",
    "applied_at": int(at_day(-40)),
    "reverted_at": None,
}


def make_founder_os(stores: LifecycleStores, *rows: dict[str, Any]) -> Path:
    return founder_os.make(stores.founder, rows or ROWS, adaptations=(ADAPTATION,))


FAINT, SOLID, BRIEF, FROZEN, KEPT, LESSON = 1, 2, 3, 4, 5, 6


def item(number: int, key: str, confidence: float, last: float, **more: Any) -> dict[str, Any]:
    """An item of minions, last accessed on the day `last`."""
    defaults = {"confidence": confidence, "lastAccessedAt": iso_day(last)}
    return minions.item(number, key, f"Minion {key}.", **{**defaults, **more})


def lesson(number: int, confidence: float, last: float) -> dict[str, Any]:
    """A lesson of minions, last reinforced on the day `last`."""
    fields = {
        "sourceType": "task-outcome",
        "lesson": "Minion lesson.",
        "domain": "applications",
        "confidence": confidence,
        "reinforcedCount": 2,
        "createdAt": minions.AT,
        "lastReinforcedAt": iso_day(last),
    }
    return minions.minion(number, "lesson", fields, title="lesson")


# Last accessed on day −89: minus a tenth on days 2, 3 and 4.
ITEMS = (
    item(FAINT, "faint", 0.25, -89),
    item(SOLID, "solid", 0.3, -400),
    item(BRIEF, "brief", 0.9, 0, expiresAt=iso_day(3)),
    item(FROZEN, "frozen", 0.2, -89, expiresAt=iso_day(3), deletedAt=iso_day(-10), deletedBy="janitor"),
    item(KEPT, "keeper", 0.2, -89, expiresAt=iso_day(3)),
    lesson(LESSON, 0.25, -89),
)


def make_minions(stores: LifecycleStores, *items: dict[str, Any]) -> Path:
    made = items or (*ITEMS, *(minions.index(100 + n, n, f"word{n}") for n in range(FAINT, KEPT + 1)))
    return minions.make(stores.minions.parent, *made).root


FACTS = (
    mem_skill.fact("f-task", "task", "Fact task.", valid_to=iso_day(3), category="task_context"),
    mem_skill.fact("f-keeper", "keeper", "Fact keeper.", valid_to=iso_day(3)),
    mem_skill.fact("f-later", "later", "Fact later.", valid_from=iso_day(5)),
    mem_skill.fact("f-old", "old", "Fact old.", status="superseded", valid_to=iso_day(-5)),
    mem_skill.fact("f-always", "always", "Fact always."),
)


def make_mem_skill(stores: LifecycleStores, *facts: dict[str, Any], **more: Any) -> Path:
    return mem_skill.make(stores.skill, facts or FACTS, archived=(), **more)


def coat(id: str, *, last: float, **more: Any) -> dict[str, Any]:
    """A memory of Base Coat, last used on the day `last`."""
    return {
        "id": id,
        "category": "fact",
        "subject": id,
        "content": f"Coat {id}.",
        "confidence": 0.9,
        "created_at": iso_day(-400),
        "last_accessed": iso_day(last),
        "access_count": 4,
        "tier": "l4",
        "heat": "warm",
        "pinned": 0,
        "promotion_count": 0,
        **more,
    }


COAT_ROWS = (
    coat("top", last=-88, tier="l1"),
    coat("middle", last=-58, tier="l2"),
    coat("keeper", last=-88, tier="l1", pinned=1),
    coat("brief", last=0, expires_at=iso_day(3)),
    coat("hushed", last=0, confidence=0.0, expires_at=iso_day(3)),
    coat("fresh", last=0),
)
RELATIONS = (("brief", "fresh", "supports"), ("top", "brief", "refines"), ("top", "fresh", "refines"))


def make_base_coat(stores: LifecycleStores, *rows: dict[str, Any], **more: Any) -> Path:
    return base_coat.make(stores.coat, rows or COAT_ROWS, **{"relations": RELATIONS, **more})


def make_cognitive(stores: LifecycleStores) -> Path:
    return cognitive.make(stores.cognitive).root


def attach_all(stores: LifecycleStores) -> LifecycleStores:
    """Make all stores and attach them, add memories to the native store, and pin the keepers."""
    paths = [
        make_founder_os(stores),
        make_minions(stores),
        make_mem_skill(stores),
        make_base_coat(stores),
        make_cognitive(stores),
    ]
    names = (FOUNDER, MINIONS, SKILL, COAT, COGNITIVE)
    with stores.opened() as workspace:
        for name, path in zip(names, paths, strict=True):
            workspace.attach(path, name)
        workspace.add({"content": "Native episode.", "category": "episode"})
        workspace.add({"content": "Native keeper.", "category": "episode"})
        workspace.copy([find_id(workspace, "Founder brief")], "native")
        pin_keepers(workspace)
    return stores


def copy_stores(template: LifecycleStores, folder: Path) -> LifecycleStores:
    """Copy the stores and the workspace to another folder; nothing of the first may be open."""
    shutil.copytree(template.folder, folder)
    stores = LifecycleStores(folder, Calendar(template.calendar.now))
    execute(stores.path, f"UPDATE stores SET path = replace(path, '{template.folder}', '{folder}')")
    return stores


def pin_keepers(workspace: Workspace) -> None:
    workspace.pin([id for id in workspace.search("keeper").ids if not memory_by_id(workspace, id).pinned])


def memory_by_id(workspace: Workspace, id: int) -> Memory:
    memory: Memory = workspace.memories([id])[0]
    return memory
