"""Agents that write at a pace, each through a server of its own, and what has to be there afterwards."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from memtui.workspace.workspace import Workspace
from tests.support.mcp.program import Program


@dataclass(slots=True)
class Writer:
    """An agent that stores memories one after the other, `rate` a second if the server can."""

    server: Program
    agent: str
    rate: float
    sent: list[str] = field(default_factory=list)  # keys, in order
    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)  # sentences
    seconds: list[float] = field(default_factory=list)  # that each took

    def write(self, until: float) -> None:
        """Store memories until a moment of the monotonic clock, or until the server is gone."""
        begun, first = time.monotonic(), len(self.sent)
        while (now := time.monotonic()) < until:
            time.sleep(max(0.0, begun + (len(self.sent) - first) / self.rate - now))
            number = len(self.sent)
            key = f"{self.agent}-{number}"
            self.sent.append(key)
            started = time.monotonic()
            try:
                done = self.server.call("memory_store", content=_content(key), category="fact", key=key)
            except (AssertionError, OSError, ValueError, httpx2.HTTPError):  # killed
                return
            self.seconds.append(time.monotonic() - started)
            if done.get("isError"):
                self.refused.append(done["content"][0]["text"])
            else:
                self.acknowledged.append(key)


def _content(key: str) -> str:
    """Return the text of a key: words of its own, so that few memories are alike."""
    chosen = random.Random(key)
    words = ["".join(chosen.choices("bdfgklmnprstvz", k=2) + chosen.choices("aeiou", k=3)) for _ in range(9)]
    return f"{' '.join(words).capitalize()}."


def run(writers: Sequence[Writer], seconds: float) -> None:
    """Have all write at once."""
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=each.write, args=(until,)) for each in writers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def lost_or_doubled(workspace: Path, writers: Sequence[Writer]) -> list[str]:
    """Return what is wrong in the workspace, as lines: what was acknowledged is there once, what was not is
    there once or not at all, with the text and owner that were sent."""
    opened = Workspace.open(workspace)
    try:
        memories = opened.memories(opened.ids_in(store="native"))
        found = Counter(each.key for each in memories)
        wrong = []
        for writer in writers:
            wrong += [f"lost: {key}" for key in writer.acknowledged if not found[key]]
            wrong += [f"doubled: {key}" for key in writer.sent if found[key] > 1]
            wrong += [f"refused: {text}" for text in writer.refused]
        sent = {key: writer.agent for writer in writers for key in writer.sent}
        for each in memories:
            if each.key in sent and (each.owner, each.content) != (sent[each.key], _content(each.key)):
                wrong.append(f"torn: {each.key}")
        return wrong
    finally:
        opened.close()
