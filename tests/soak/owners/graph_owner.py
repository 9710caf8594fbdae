"""The MCP memory server as the owner of one file: started, restarted, and writing as agents have it write."""

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
_SHOWN = 300  # characters of a call that are told


class GraphOwner:
    """A server on one file below a folder. Whatever it answers with an error is a loss."""

    format = "mcp-memory"

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.place = folder / "store" / "memory.jsonl"
        self._log = folder / "server.log"
        self._command = command
        self._chance = random.Random(0)
        self._texts = Texts(self._chance)
        self._server: McpServer | None = None
        self.wrote: Counter[str] = Counter()

    def begin(self, chance: random.Random, texts: Texts) -> None:
        """A round begins, without a store."""
        self._chance, self._texts, self.wrote = chance, texts, Counter()
        self.place.parent.mkdir(exist_ok=True)
        self.place.unlink(missing_ok=True)
        if self._server is None:
            self.restart()

    def restart(self) -> None:
        """Start it anew."""
        self.close()
        env = {"MEMORY_FILE_PATH": str(self.place)}
        self._server = self._asked(lambda: McpServer(self._command, self._log, env))

    def close(self) -> None:
        """End it."""
        if self._server is not None:
            self._server.close()
        self._server = None

    def read(self) -> Graph:
        """What it reads in the file."""
        return Graph.of(self._call("read_graph"))

    def data(self) -> Mapping[str, bytes]:
        """The file, and whatever stands beside it."""
        return {each.name: each.read_bytes() for each in self.place.parent.iterdir()}

    def marks(self, state: Graph) -> Counter[str]:
        """The marks of the texts that a graph holds."""
        return Counter(mark for each in state.entities for text in each.said for mark in marks_of(text))

    def unlike(self, state: Graph, workspace: Workspace) -> str:
        """How a graph differs from what memtui says; "" if it does not."""
        theirs, mine = state.unordered, graph_of(workspace, STORE)
        if theirs == mine:
            return ""
        names = sorted(
            name for name in theirs[0].keys() | mine[0].keys() if theirs[0].get(name) != mine[0].get(name)
        )
        unlike = [f"{name!r}: server {theirs[0].get(name)}, memtui {mine[0].get(name)}" for name in names]
        if theirs[1] != mine[1]:
            unlike.append(f"relations: server {theirs[1] - mine[1]}, memtui {mine[1] - theirs[1]}")
        return "; ".join(unlike)

    def probe(self, graph: Graph) -> None:
        """Its other ways to read give what the graph says."""
        if not graph.entities:
            return
        entity = self._chance.choice(graph.entities)
        if Graph.of(self._call("open_nodes", names=[entity.name])).entity(entity.name) != entity:
            raise RoundFailed(f"open_nodes does not give {entity.name!r} as read_graph does")
        marks = [mark for text in entity.said for mark in marks_of(text)]
        if marks and Graph.of(self._call("search_nodes", query=marks[0])).entity(entity.name) != entity:
            raise RoundFailed(f"search_nodes does not find {marks[0]!r} in {entity.name!r}")

    def write(self) -> str:
        """Do something that an agent may ask for; what."""
        graph = self.read()
        names = [each.name for each in graph.entities]
        what = self._chance.choice(("entities", "entities", "texts", "relations", "relations", "less"))
        if what == "entities" or not names:
            fresh = [self._entity() for _ in range(self._chance.randint(1, 3))]
            # It takes two of one name in one call, and then cannot tell them apart itself.
            return self._do("create_entities", entities=list({each["name"]: each for each in fresh}.values()))
        if what == "texts":
            contents = [self._text() for _ in range(self._chance.randint(1, 3))]
            more = {"entityName": self._chance.choice(names), "contents": contents}
            return self._do("add_observations", observations=[more])
        if what == "relations":
            ends = [*names, self._texts.name()]  # it does not ask whether there is such an entity
            relation = {"from": self._chance.choice(ends), "to": self._chance.choice(ends)}
            return self._do(
                "create_relations", relations=[relation | {"relationType": self._texts.relation()}]
            )
        return self._delete(graph)

    def _entity(self) -> dict[str, Any]:
        said = [self._text() for _ in range(self._chance.randint(0, 4))]
        if said and self._chance.random() < 0.2:  # it takes equal texts of a new entity
            said.append(said[0])
        return {"name": self._texts.name(), "entityType": self._texts.kind(), "observations": said}

    def _text(self) -> str:
        text = self._texts.text(holdable=False)
        self.wrote.update(marks_of(text))
        return text

    def _delete(self, graph: Graph) -> str:
        entity, draw = self._chance.choice(graph.entities), self._chance.random()
        if entity.said and draw < 0.5:
            less = {"entityName": entity.name, "observations": [self._chance.choice(entity.said)]}
            return self._do("delete_observations", deletions=[less])
        if graph.relations and draw < 0.8:
            source, kind, target = self._chance.choice(graph.relations)
            relation = {"from": source, "to": target, "relationType": kind}
            return self._do("delete_relations", relations=[relation])
        return self._do("delete_entities", entityNames=[entity.name])

    def _do(self, tool: str, **arguments: Any) -> str:
        self._call(tool, **arguments)
        return f"{tool} {str(arguments)[:_SHOWN]}"

    def _call(self, tool: str, **arguments: Any) -> Any:
        server = self._server
        assert server is not None
        return self._asked(lambda: server.call(tool, **arguments))

    def _asked(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except ToolError as trouble:
            raise RoundFailed(f"the server answers with an error: {trouble}") from trouble
        except ChildFailed as trouble:
            self.close()
            raise RoundFailed(f"the server broke: {trouble}") from trouble
