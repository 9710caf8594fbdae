"""The MCP memory server writes for an agent all the time, while a user edits its memories in memtui.

The server may have read its file before a change by memtui and write it afterwards. No text of the agent may
be missing from the news, and no edit may be lost without being reported.
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
_SECONDS = 20.0  # over which both are spread
_PEOPLE = [f"Person {number}" for number in range(8)]
_DELETIONS = 0.1  # share of the writes that delete a text of the agent


class ConcurrentRound:
    """One store, its server and a workspace. Raises RoundFailed."""

    def __init__(self, seed: int, folder: Path, command: Sequence[str]) -> None:
        self._chance, self._agents_chance = random.Random(seed), random.Random(-seed)
        folder.mkdir()
        self._path = folder / "memory.jsonl"
        self._server = McpServer(command, folder / "server.log", {"MEMORY_FILE_PATH": str(self._path)})
        self._first = {
            name: [f"{name} said {number} of the first things" for number in range(5)] for name in _PEOPLE
        }
        entities = [
            {"name": name, "entityType": "person", "observations": texts}
            for name, texts in self._first.items()
        ]
        self._server.call("create_entities", entities=entities)
        self._workspace = Workspace.open(folder / "workspace.db")
        self._workspace.attach(self._path, STORE)
        self._workspace.mark_seen()
        self._ids = list(self._workspace.search(f"store:{STORE}").ids)
        self._written: dict[str, str] = {}
        """Texts that the agent wrote and did not delete, with their entities."""
        self._edits: dict[int, tuple[int, str]] = {}
        """The edits by journal entry, with the memory and its new text."""
        self._error = ""

    def close(self) -> None:
        """Close the workspace and end the server."""
        self._workspace.close()
        self._server.close()

    def run(self) -> None:
        """Let both write, and check the result."""
        agent = threading.Thread(target=self._write)
        agent.start()
        try:
            self._edit()
        finally:
            agent.join()
        if self._error:
            raise RoundFailed(self._error)
        self._workspace.pull()
        self._assert_agent_texts_are_news()
        self._assert_lost_edits_are_reported()
        self._assert_undo_restores()

    def _write(self) -> None:
        started = time.monotonic()
        try:
            for number in range(WRITES):
                time.sleep(max(0.0, started + number * _SECONDS / WRITES - time.monotonic()))
                self._write_one(number)
        except (ToolError, ChildFailed) as error:
            self._error = f"the server broke: {error}"

    def _write_one(self, number: int) -> None:
        if self._written and self._agents_chance.random() < _DELETIONS:
            text = self._agents_chance.choice(list(self._written))
            deletion = {"entityName": self._written.pop(text), "observations": [text]}
            self._server.call("delete_observations", deletions=[deletion])
            return
        name, text = self._agents_chance.choice(_PEOPLE), f"{number:x}: the agent noticed that"
        self._server.call("add_observations", observations=[{"entityName": name, "contents": [text]}])
        self._written[text] = name

    def _edit(self) -> None:
        started = time.monotonic()
        for number in range(EDITS):
            time.sleep(max(0.0, started + number * _SECONDS / EDITS - time.monotonic()))
            if self._chance.random() < 0.5:  # otherwise the edit meets changes that are not pulled yet
                self._workspace.pull()
            id, text = self._chance.choice(self._ids), f"{number:x}) by a person"
            try:
                change = self._workspace.edit([id], {"content": text})
            except Refused as refused:
                self._check_refusal(id, refused)
            else:
                assert change.journal_id is not None
                self._edits[change.journal_id] = (id, text)

    def _check_refusal(self, id: int, refused: Refused) -> None:
        """Allow a refusal only for an edit of a memory whose text the server has overwritten."""
        overwritten = any(event.kind == "overwritten" for event in self._history(id))
        if refused.code != "conflict" or not overwritten:
            raise RoundFailed(f"an edit was refused though nobody else touched its text: {refused.message}")

    # -- checks at the end

    def _assert_agent_texts_are_news(self) -> None:
        texts = self._texts()
        news = {str(item.content) for item in self._workspace.agent_activity().items}
        for text in self._written:
            if text in texts and text not in news:
                raise RoundFailed(f"{text!r} stands in the store and is no news")

    def _assert_lost_edits_are_reported(self) -> None:
        if missing := set(self._ids) - set(self._workspace.search(f"store:{STORE}").ids):
            raise RoundFailed(f"{len(missing)} earlier memories are taken for others")
        ids = {id for id, _ in self._edits.values()}
        texts = self._texts()
        for id in ids:
            (memory,) = self._workspace.memories([id])
            edits = [(entry_id, text) for entry_id, (edited, text) in self._edits.items() if edited == id]
            overwritten = {event.undoes for event in self._history(id) if event.kind == "overwritten"}
            remaining = [text for entry_id, text in edits if entry_id not in overwritten]
            if remaining and (memory.content != remaining[-1] or not texts[remaining[-1]]):
                raise RoundFailed(
                    f"{remaining[-1]!r} is gone, and nothing says so; the memory says {memory.content!r}"
                )

    def _assert_undo_restores(self) -> None:
        before = self._texts()
        for event in self._workspace.journal(10_000, who="you"):
            if event.kind == "edited" and event.state == "done":
                self._workspace.undo(event.id)
        initial = Counter(text for observations in self._first.values() for text in observations)
        after = self._texts()
        by_agent = before - Counter(text for _, text in self._edits.values()) - initial
        if after != initial + by_agent:
            raise RoundFailed(
                f"undone, the store lacks {initial + by_agent - after} and has {after - initial - by_agent}"
            )

    def _history(self, id: int) -> Sequence[Event]:
        detail = self._workspace.detail(id)
        assert detail is not None
        return detail.history

    def _texts(self) -> Counter[str]:
        graph = Graph.of(self._server.call("read_graph"))
        return Counter(text for each in graph.entities for text in each.observations)
