"""The demo workspace and its stores: for a first look, and for the pictures (S-2).

An invented small company, Larkfield, and the household of its founder, whose people work with several agents.
Their memories are a mess as it comes by itself: things moved, were switched, promoted and put off, some of it
was told twice, some fades, and agents went on while nobody looked. The same clock gives the same stores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from memtui.demo import coding, company, graph, household, own

DAY = 86_400.0
_ATTACHED, _LOOKED = 24 * DAY, 1.5 * DAY  # before now: when the stores were attached, and last looked at


def build(folder: Path, clock: Callable[[], float] = time.time) -> Path:
    """Make the stores and a workspace with all of them attached in `folder`; returns the workspace's path."""
    from memtui.workspace.workspace import Workspace

    now = clock()
    places = {
        "company": folder / "larkfield" / ".memory" / "memory.db",
        "coding": folder / "order-service" / "memory",
        "graph": folder / "assistant" / "memory.jsonl",
        "household": folder / "household" / "mem.db",
    }
    company.build(places["company"], now)
    coding.build(places["coding"])
    graph.build(places["graph"])
    household.build(places["household"], now)
    path = folder / "demo" / "demo.db"
    # The list and the journal show a life: attached weeks ago, and used since.
    at = [now - _ATTACHED]
    workspace = Workspace.open(path, clock=lambda: at[0])
    for place in places.values():
        workspace.attach(place)
    for line in own.NOTES.strip().splitlines():
        age, category, tags, *words = line.split(" ")
        at[0] = now - int(age) * DAY
        workspace.add({"content": " ".join(words), "category": category, "tags": (tags.rstrip(":"),)})
    at[0] = now - _LOOKED
    for said, reason in own.PINNED:
        workspace.pin(list(workspace.search(said).ids[:1]), reason)
    workspace.looked()
    at[0] = now - DAY / 4
    company.agents(places["company"], now)
    coding.agents(places["coding"])
    graph.agents(places["graph"])
    household.agents(places["household"], now)
    workspace.pull()
    workspace.close()
    _agents(path, now)
    return path


def _agents(path: Path, now: float) -> None:
    """What an agent did in memtui itself; `u` takes back what the person did."""
    from memtui.workspace.workspace import Workspace

    workspace = Workspace.open(path, clock=lambda: now, actor="agent:assistant")
    for line in own.AGENTS.strip().splitlines():
        category, tags, *words = line.split(" ")
        workspace.add({"content": " ".join(words), "category": category, "tags": (tags.rstrip(":"),)})
    workspace.sweep()
    for source, kind, target, why in own.TIES:
        one, other = (workspace.search(words, live=False).ids[0] for words in (source, target))
        workspace.relate(one, kind, other, context=why)
    workspace.close()
