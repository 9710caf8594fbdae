"""Stores in which something is near its end, one of each lifecycle, and a calendar.

All times are told in days from START, at which the stores are attached.
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
from tests.support.demo_workspace import the
from tests.support.empty_workspace import empty
from tests.support.stores import base_coat, cognitive, founder_os, mem_skill, minions
from tests.support.stores.databases import alter
from tests.support.stores.files import tree

DAY = 86_400.0
START = datetime(2026, 9, 22, 8, tzinfo=UTC).timestamp()
FOUNDER, MINIONS, SKILL, COAT, COGNITIVE = (
    "founder-os:acme",
    "minions:scout",
    "mem-skill:mira",
    "base-coat:team",
    "cognitive:brain",
)


def on(day: float) -> float:
    """An instant, by its day."""
    return START + day * DAY


def said(day: float) -> str:
    """The same as ISO text."""
    return str(iso(on(day)))


@dataclass
class Calendar:
    """A clock that stands still until days pass."""

    now: float = START

    def __call__(self) -> float:
        return self.now

    def turn_to(self, day: float) -> float:
        """It is that day now."""
        self.now = on(day)
        return self.now


@dataclass
class LifecycleStores:
    """The stores under `folder`, and the workspace on them."""

    folder: Path
    calendar: Calendar = field(default_factory=Calendar)

    @property
    def path(self) -> Path:
        """The workspace's file."""
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
    def opened(self, **more: Any) -> Iterator[Workspace]:
        """The workspace, for a while."""
        workspace = Workspace.open(empty(self.path), **{"clock": self.calendar, **more})
        try:
            yield workspace
        finally:
            workspace.close()

    def stands(self) -> dict[str, Any]:
        """All that stands in the stores that are there: values with their types, files to the byte."""
        found: dict[str, Any] = {}
        for path in (self.founder, self.skill, self.coat):
            if path.exists():
                found[str(path)] = mem_skill.rows_in(path)
        for root in (self.minions, self.cognitive):
            if root.exists():
                found[str(root)] = tree(root), sorted(map(str, root.rglob("*")))
        return found


# -- what stands in the stores


def row(id: str, number: int, *, last: float, **more: Any) -> dict[str, Any]:
    """A memory of Founder OS that was last used, or made, on a day."""
    return {
        "id": id * 8,
        "key": id,
        "category": "fact",
        "content": f"Founder {id}.",
        "source_plugin": "P11",
        "confidence": number,
        "status": "confirmed",
        "created_at": int(on(-400)),
        "updated_at": int(on(-400)),
        "last_used_at": int(on(last)),
        **more,
    }


# Unused since day −35: the steps of a week fall on days 2, 9, 16 …; those of a day on each.
ROWS = (
    row("weekly", 50, last=-35),
    row("weak", 14, last=-35),
    row("dismissed", 14, last=-35, status="dismissed", expires_at=int(on(3))),
    row("keeper", 14, last=-35, expires_at=int(on(3))),
    row("brief", 90, last=0, expires_at=int(on(3))),
    row("fresh", 90, last=0),
)
ADAPTED = {
    "id": "ad01",
    "memory_id": "weak" * 8,
    "plugin": "P11",
    "description": "Drafts reminders.",
    "applied_at": int(on(-40)),
    "reverted_at": None,
}


def founder(ageing: LifecycleStores, *rows: dict[str, Any]) -> Path:
    return founder_os.make(ageing.founder, rows or ROWS, adaptations=(ADAPTED,))


FAINT, SOLID, BRIEF, FROZEN, KEPT, LESSON = 1, 2, 3, 4, 5, 6


def item(number: int, key: str, confidence: float, last: float, **more: Any) -> dict[str, Any]:
    """A minion that was last asked for on a day."""
    usual = {"confidence": confidence, "lastAccessedAt": said(last)}
    return minions.item(number, key, f"Minion {key}.", **{**usual, **more})


def lesson(number: int, confidence: float, last: float) -> dict[str, Any]:
    """A lesson that was last reinforced on a day."""
    fields = {
        "sourceType": "task-outcome",
        "lesson": "Minion lesson.",
        "domain": "applications",
        "confidence": confidence,
        "reinforcedCount": 2,
        "createdAt": minions.AT,
        "lastReinforcedAt": said(last),
    }
    return minions.minion(number, "lesson", fields, title="lesson")


# Asked for on day −89 last: a tenth less on days 2, 3 and 4.
ITEMS = (
    item(FAINT, "faint", 0.25, -89),
    item(SOLID, "solid", 0.3, -400),
    item(BRIEF, "brief", 0.9, 0, expiresAt=said(3)),
    item(FROZEN, "frozen", 0.2, -89, expiresAt=said(3), deletedAt=said(-10), deletedBy="janitor"),
    item(KEPT, "keeper", 0.2, -89, expiresAt=said(3)),
    lesson(LESSON, 0.25, -89),
)


def scouted(ageing: LifecycleStores, *items: dict[str, Any]) -> Path:
    made = items or (*ITEMS, *(minions.index(100 + n, n, f"word{n}") for n in range(FAINT, KEPT + 1)))
    return minions.make(ageing.minions.parent, *made).root


FACTS = (
    mem_skill.fact("f-task", "task", "Fact task.", valid_to=said(3), category="task_context"),
    mem_skill.fact("f-keeper", "keeper", "Fact keeper.", valid_to=said(3)),
    mem_skill.fact("f-later", "later", "Fact later.", valid_from=said(5)),
    mem_skill.fact("f-old", "old", "Fact old.", status="superseded", valid_to=said(-5)),
    mem_skill.fact("f-always", "always", "Fact always."),
)


def skilled(ageing: LifecycleStores, *facts: dict[str, Any], **more: Any) -> Path:
    return mem_skill.make(ageing.skill, facts or FACTS, archived=(), **more)


def coat(id: str, *, last: float, **more: Any) -> dict[str, Any]:
    """A memory of Base Coat that was last used on a day."""
    return {
        "id": id,
        "category": "fact",
        "subject": id,
        "content": f"Coat {id}.",
        "confidence": 0.9,
        "created_at": said(-400),
        "last_accessed": said(last),
        "access_count": 4,
        "tier": "l4",
        "heat": "warm",
        "pinned": 0,
        "promotion_count": 0,
        **more,
    }


COATS = (
    coat("top", last=-88, tier="l1"),
    coat("middle", last=-58, tier="l2"),
    coat("keeper", last=-88, tier="l1", pinned=1),
    coat("brief", last=0, expires_at=said(3)),
    coat("hushed", last=0, confidence=0.0, expires_at=said(3)),
    coat("fresh", last=0),
)
TIES = (("brief", "fresh", "supports"), ("top", "brief", "refines"), ("top", "fresh", "refines"))


def coated(ageing: LifecycleStores, *rows: dict[str, Any], **more: Any) -> Path:
    return base_coat.make(ageing.coat, rows or COATS, **{"relations": TIES, **more})


def minded(ageing: LifecycleStores) -> Path:
    return cognitive.make(ageing.cognitive).root


def stocked(ageing: LifecycleStores) -> LifecycleStores:
    """All of them attached at once, and memtui's own; what is to stay is pinned."""
    places = [founder(ageing), scouted(ageing), skilled(ageing), coated(ageing), minded(ageing)]
    names = (FOUNDER, MINIONS, SKILL, COAT, COGNITIVE)
    with ageing.opened() as workspace:
        for name, place in zip(names, places, strict=True):
            workspace.attach(place, name)
        workspace.add({"content": "Native episode.", "category": "episode"})
        workspace.add({"content": "Native keeper.", "category": "episode"})
        workspace.copy([the(workspace, "Founder brief")], "native")
        pin_keepers(workspace)
    return ageing


def copied(ageing_template: LifecycleStores, folder: Path) -> LifecycleStores:
    """The same stores in another folder; nobody has anything of the first one open."""
    shutil.copytree(ageing_template.folder, folder)
    ageing = LifecycleStores(folder, Calendar(ageing_template.calendar.now))
    alter(ageing.path, f"UPDATE stores SET path = replace(path, '{ageing_template.folder}', '{folder}')")
    return ageing


def pin_keepers(workspace: Workspace) -> None:
    workspace.pin([id for id in workspace.search("keeper").ids if not known(workspace, id).pinned])


def known(workspace: Workspace, id: int) -> Memory:
    memory: Memory = workspace.memories([id])[0]
    return memory
