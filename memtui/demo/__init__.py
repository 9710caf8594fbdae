"""The demo workspace and its stores, for a first look and for screenshots (S-2).

An invented small company, Larkfield, and the household of its founder, whose people work with several agents.
Their memories are as untidy as real ones: things moved, were replaced, promoted and postponed, some are
stored twice, some fade, and agents worked on since the user last looked. The same clock gives the same stores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from memtui.demo import coding, company, graph, household, own

DAY = 86_400.0
_ATTACHED, _LAST_LOOK = 24 * DAY, 1.5 * DAY  # before now: when the stores were attached, and last viewed


def build(folder: Path, clock: Callable[[], float] = time.time) -> Path:
    """Create the stores in `folder`, with a workspace that has them all attached; return its path."""
    from memtui.workspace.workspace import Workspace

    now = clock()
    paths = {
        "company": folder / "larkfield" / ".memory" / "memory.db",
        "coding": folder / "order-service" / "memory",
        "graph": folder / "assistant" / "memory.jsonl",
        "household": folder / "household" / "mem.db",
    }
    company.build(paths["company"], now)
    coding.build(paths["coding"])
    graph.build(paths["graph"])
    household.build(paths["household"], now)
    path = folder / "demo" / "demo.db"
    # The list and the journal have a history: attached weeks ago, and used since.
    at = [now - _ATTACHED]
    workspace = Workspace.open(path, clock=lambda: at[0])
    for store_path in paths.values():
        workspace.attach(store_path)
    for line in own.NOTES.strip().splitlines():
        age, category, tags, *words = line.split(" ")
        at[0] = now - int(age) * DAY
        workspace.add({"content": " ".join(words), "category": category, "tags": (tags.rstrip(":"),)})
    at[0] = now - _LAST_LOOK
    for query, reason in own.PINNED:
        workspace.pin(list(workspace.search(query).ids[:1]), reason)
    workspace.mark_seen()
    at[0] = now - DAY / 4
    company.change_by_agents(paths["company"], now)
    coding.change_by_agents(paths["coding"])
    graph.change_by_agents(paths["graph"])
    household.change_by_agents(paths["household"], now)
    workspace.pull()
    workspace.close()
    _change_by_agents(path, now)
    return path


def _change_by_agents(path: Path, now: float) -> None:
    """Apply what an agent did in memtui itself; `u` undoes only what the user did."""
    from memtui.workspace.workspace import Workspace

    workspace = Workspace.open(path, clock=lambda: now, actor="agent:assistant")
    for line in own.AGENTS.strip().splitlines():
        category, tags, *words = line.split(" ")
        workspace.add({"content": " ".join(words), "category": category, "tags": (tags.rstrip(":"),)})
    workspace.scan()
    for source, kind, target, context in own.RELATIONS:
        source_id, target_id = (workspace.search(words, live=False).ids[0] for words in (source, target))
        workspace.relate(source_id, kind, target_id, context=context)
    workspace.close()
