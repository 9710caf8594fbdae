"""The MCP memory server as the owner of one file: started, restarted, and writing as agents ask it to."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from memtui.workspace.workspace import Workspace
from tests.soak.owners.contract import STORE, RoundFailed
from tests.soak.owners.graph_model import Graph
from tests.soak.owners.graph_verbs import graph_of
from tests.soak.owners.json_lines import ChildFailed
from tests.soak.owners.mcp_stdio import McpServer, ToolError
from tests.soak.owners.texts import Texts, marks_of

T = TypeVar("T")
_MAX_SHOWN = 300  # characters of a call that are logged


class GraphOwner:
    """A server on one file below a folder. An error as an answer is a loss."""

    format = "mcp-memory"

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.path = folder / "store" / "memory.jsonl"
        self._log = folder / "server.log"
        self._command = command
        self._chance = random.Random(0)
        self._texts = Texts(self._chance)
        self._server: McpServer | None = None
        self.written_marks: Counter[str] = Counter()

    def begin(self, chance: random.Random, texts: Texts) -> None:
        """Start a round, without a store."""
        self._chance, self._texts, self.written_marks = chance, texts, Counter()
        self.path.parent.mkdir(exist_ok=True)
        self.path.unlink(missing_ok=True)
        if self._server is None:
            self.restart()

    def restart(self) -> None:
        """Restart the server."""
        self.close()
        env = {"MEMORY_FILE_PATH": str(self.path)}
        self._server = self._translate_errors(lambda: McpServer(self._command, self._log, env))

    def close(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.close()
        self._server = None

    def read(self) -> Graph:
        """Return the graph as the server reads it."""
        return Graph.of(self._call("read_graph"))

    def data(self) -> Mapping[str, bytes]:
        """Return the bytes of the file, and of all files beside it."""
        return {each.name: each.read_bytes() for each in self.path.parent.iterdir()}

    def marks(self, state: Graph) -> Counter[str]:
        """Return the marks of the texts in a graph."""
        return Counter(
            mark for each in state.entities for text in each.observations for mark in marks_of(text)
        )

    def differences(self, state: Graph, workspace: Workspace) -> str:
        """Return how a graph differs from memtui's, "" if it does not."""
        server, memtui = state.unordered, graph_of(workspace, STORE)
        if server == memtui:
            return ""
        names = sorted(
            name for name in server[0].keys() | memtui[0].keys() if server[0].get(name) != memtui[0].get(name)
        )
        differences = [
            f"{name!r}: server {server[0].get(name)}, memtui {memtui[0].get(name)}" for name in names
        ]
        if server[1] != memtui[1]:
            differences.append(f"relations: server {server[1] - memtui[1]}, memtui {memtui[1] - server[1]}")
        return "; ".join(differences)

    def probe(self, graph: Graph) -> None:
        """Check that its other ways to read agree with the graph."""
        if not graph.entities:
            return
        entity = self._chance.choice(graph.entities)
        if Graph.of(self._call("open_nodes", names=[entity.name])).entity(entity.name) != entity:
            raise RoundFailed(f"open_nodes does not give {entity.name!r} as read_graph does")
        marks = [mark for text in entity.observations for mark in marks_of(text)]
        if marks and Graph.of(self._call("search_nodes", query=marks[0])).entity(entity.name) != entity:
            raise RoundFailed(f"search_nodes does not find {marks[0]!r} in {entity.name!r}")

    def write(self) -> str:
        """Write something that an agent may ask for; return a description."""
        graph = self.read()
        names = [each.name for each in graph.entities]
        kind = self._chance.choice(("entities", "entities", "texts", "relations", "relations", "less"))
        if kind == "entities" or not names:
            new = [self._entity() for _ in range(self._chance.randint(1, 3))]
            # The server accepts two of one name in one call, but cannot tell them apart afterwards.
            return self._do("create_entities", entities=list({each["name"]: each for each in new}.values()))
        if kind == "texts":
            contents = [self._text() for _ in range(self._chance.randint(1, 3))]
            more = {"entityName": self._chance.choice(names), "contents": contents}
            return self._do("add_observations", observations=[more])
        if kind == "relations":
            ends = [*names, self._texts.name()]  # the server accepts relations to missing entities
            relation = {"from": self._chance.choice(ends), "to": self._chance.choice(ends)}
            return self._do(
                "create_relations", relations=[relation | {"relationType": self._texts.relation()}]
            )
        return self._delete(graph)

    def _entity(self) -> dict[str, Any]:
        observations = [self._text() for _ in range(self._chance.randint(0, 4))]
        if observations and self._chance.random() < 0.2:  # the server accepts equal texts of a new entity
            observations.append(observations[0])
        return {"name": self._texts.name(), "entityType": self._texts.kind(), "observations": observations}

    def _text(self) -> str:
        text = self._texts.text(holdable=False)
        self.written_marks.update(marks_of(text))
        return text

    def _delete(self, graph: Graph) -> str:
        entity, draw = self._chance.choice(graph.entities), self._chance.random()
        if entity.observations and draw < 0.5:
            less = {"entityName": entity.name, "observations": [self._chance.choice(entity.observations)]}
            return self._do("delete_observations", deletions=[less])
        if graph.relations and draw < 0.8:
            source, kind, target = self._chance.choice(graph.relations)
            relation = {"from": source, "to": target, "relationType": kind}
            return self._do("delete_relations", relations=[relation])
        return self._do("delete_entities", entityNames=[entity.name])

    def _do(self, tool: str, **arguments: Any) -> str:
        self._call(tool, **arguments)
        return f"{tool} {str(arguments)[:_MAX_SHOWN]}"

    def _call(self, tool: str, **arguments: Any) -> Any:
        server = self._server
        assert server is not None
        return self._translate_errors(lambda: server.call(tool, **arguments))

    def _translate_errors(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except ToolError as error:
            raise RoundFailed(f"the server answers with an error: {error}") from error
        except ChildFailed as error:
            self.close()
            raise RoundFailed(f"the server broke: {error}") from error
