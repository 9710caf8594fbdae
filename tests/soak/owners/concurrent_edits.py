"""The MCP memory server writes for an agent all the time, while a person edits what it holds in memtui.

The two are never told apart by time: the server may have read its file before a change of ours and write it
after that. Nothing that the agent wrote may be missing from the news, and no edit be gone without a word.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from memtui.errors import Refused
from memtui.memory.journal import Event
from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, RoundFailed
from tests.soak.owners.graph_model import Graph
from tests.soak.owners.json_lines import ChildFailed
from tests.soak.owners.mcp_stdio import McpServer, ToolError

WRITES, EDITS = 500, 50
_SECONDS = 20.0  # over which they are spread
_PEOPLE = [f"Person {number}" for number in range(8)]
_LESS = 0.1  # of the writes take out what the agent said itself


class ConcurrentRound:
    """One store, its server, and a workspace on it. Raises Lost."""

    def __init__(self, seed: int, folder: Path, command: Sequence[str]) -> None:
        self._chance, self._agents_chance = random.Random(seed), random.Random(-seed)
        folder.mkdir()
        self._place = folder / "memory.jsonl"
        self._server = McpServer(command, folder / "server.log", {"MEMORY_FILE_PATH": str(self._place)})
        self._first = {
            name: [f"{name} said {number} of the first things" for number in range(5)] for name in _PEOPLE
        }
        entities = [
            {"name": name, "entityType": "person", "observations": said} for name, said in self._first.items()
        ]
        self._server.call("create_entities", entities=entities)
        self._workspace = Workspace.open(folder / "workspace.db")
        self._workspace.attach(self._place, STORE)
        self._workspace.mark_seen()
        self._ids = list(self._workspace.search(f"store:{STORE}").ids)
        self._said: dict[str, str] = {}
        """What the agent said and did not take back, with the entity that it said it of."""
        self._edits: dict[int, tuple[int, str]] = {}
        """The lines of the edits that were made, with the memory and its new text."""
        self._broke = ""

    def close(self) -> None:
        """End the server."""
        self._workspace.close()
        self._server.close()

    def run(self) -> None:
        """Let both work, and look at what became of it."""
        agent = threading.Thread(target=self._write)
        agent.start()
        try:
            self._edit()
        finally:
            agent.join()
        if self._broke:
            raise RoundFailed(self._broke)
        self._workspace.pull()
        self._all_of_the_agents_is_news()
        self._no_edit_is_gone_unsaid()
        self._undone_is_as_before()

    def _write(self) -> None:
        begun = time.monotonic()
        try:
            for number in range(WRITES):
                time.sleep(max(0.0, begun + number * _SECONDS / WRITES - time.monotonic()))
                self._say(number)
        except (ToolError, ChildFailed) as trouble:
            self._broke = f"the server broke: {trouble}"

    def _say(self, number: int) -> None:
        if self._said and self._agents_chance.random() < _LESS:
            text = self._agents_chance.choice(list(self._said))
            less = {"entityName": self._said.pop(text), "observations": [text]}
            self._server.call("delete_observations", deletions=[less])
            return
        name, text = self._agents_chance.choice(_PEOPLE), f"{number:x}: the agent noticed that"
        self._server.call("add_observations", observations=[{"entityName": name, "contents": [text]}])
        self._said[text] = name

    def _edit(self) -> None:
        begun = time.monotonic()
        for number in range(EDITS):
            time.sleep(max(0.0, begun + number * _SECONDS / EDITS - time.monotonic()))
            if self._chance.random() < 0.5:  # else the change meets what nobody pulled yet
                self._workspace.pull()
            id, text = self._chance.choice(self._ids), f"{number:x}) by a person"
            try:
                change = self._workspace.edit([id], {"content": text})
            except Refused as refused:
                self._may_be_refused(id, refused)
            else:
                assert change.journal_id is not None
                self._edits[change.journal_id] = (id, text)

    def _may_be_refused(self, id: int, refused: Refused) -> None:
        """Only where another text stands there than was seen: an edit that the server overwrote."""
        overwritten = any(event.kind == "overwritten" for event in self._history(id))
        if refused.code != "conflict" or not overwritten:
            raise RoundFailed(f"an edit was refused though nobody else touched its text: {refused.message}")

    # -- what must be so in the end

    def _all_of_the_agents_is_news(self) -> None:
        there = self._texts()
        news = {str(item.content) for item in self._workspace.agent_activity().items}
        for text in self._said:
            if text in there and text not in news:
                raise RoundFailed(f"{text!r} stands in the store and is no news")

    def _no_edit_is_gone_unsaid(self) -> None:
        if lost := set(self._ids) - set(self._workspace.search(f"store:{STORE}").ids):
            raise RoundFailed(f"{len(lost)} memories of before are taken for others")
        ids = {id for id, _ in self._edits.values()}
        there = self._texts()
        for id in ids:
            (now,) = self._workspace.memories([id])
            mine = [(line, text) for line, (its, text) in self._edits.items() if its == id]
            overwritten = {event.undoes for event in self._history(id) if event.kind == "overwritten"}
            standing = [text for line, text in mine if line not in overwritten]
            if standing and (now.content != standing[-1] or not there[standing[-1]]):
                raise RoundFailed(f"{standing[-1]!r} is gone, and nothing says so; the memory says {now.content!r}")

    def _undone_is_as_before(self) -> None:
        before = self._texts()
        for event in self._workspace.journal(10_000, who="you"):
            if event.kind == "edited" and event.state == "done":
                self._workspace.undo(event.id)
        first = Counter(text for said in self._first.values() for text in said)
        after = self._texts()
        theirs = before - Counter(text for _, text in self._edits.values()) - first
        if after != first + theirs:
            raise RoundFailed(f"undone, the store lacks {first + theirs - after} and has {after - first - theirs}")

    def _history(self, id: int) -> Sequence[Event]:
        detail = self._workspace.detail(id)
        assert detail is not None
        return detail.history

    def _texts(self) -> Counter[str]:
        graph = Graph.of(self._server.call("read_graph"))
        return Counter(text for each in graph.entities for text in each.said)
