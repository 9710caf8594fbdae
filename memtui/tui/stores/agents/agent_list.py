"""The list of agents: those that are connected, then those that call without a connection (S-87)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from memtui.text import counted
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.stores.agents import wording
from memtui.tui.text.glyphs import age, fit
from memtui.workspace.agents.listing import ListedAgent
from memtui.workspace.connections.connection import ConnectionState

WIDE = 74  # cells from which the client has a column
_STYLES = {
    ConnectionState.CONNECTED: "quiet",
    ConnectionState.CHANGED: "warn",
    ConnectionState.GONE: "error",
    ConnectionState.UNREADABLE: "error",
    None: "quiet",
}


class AgentList(VirtualList):
    """One line per connection or agent: name, client, state, how much it wrote and read, last call."""

    BINDINGS = command_table.bindings(names.CONNECTIONS)

    def __init__(self, clock: Callable[[], float], *, id: str) -> None:
        super().__init__(id=id)
        self._clock = clock
        self.agents: Sequence[ListedAgent] = ()

    @property
    def highlighted(self) -> ListedAgent | None:
        """The agent under the cursor."""
        return self.agents[self.cursor] if self.cursor < len(self.agents) else None

    def show(self, agents: Sequence[ListedAgent]) -> None:
        """List other agents; the cursor stays on its line while that is listed."""
        before = [_key(each) for each in self.agents]
        self.agents = agents
        keys = [_key(each) for each in agents]
        nearest = [*before[self.cursor :], *reversed(before[: self.cursor])]
        index = next((keys.index(key) for key in nearest if key in keys), 0)
        self.refill(len(agents), index, keep_place=bool(before))

    def parts(self, index: int, width: int) -> list[Part]:
        item = self.agents[index]
        figures = item.figures
        calls = counted(figures.writes, "write"), counted(figures.recalls, "recall")
        last = age(figures.last, self._clock())
        if index and self.agents[index - 1].agent == item.agent:
            calls, last = ("", ""), ""  # they are the agent's, and are in the line above
        tail: list[Part] = [
            ("  ", "plain"),
            *([(fit(wording.place(item.connection), 11), "quiet"), (" ", "plain")] if width >= WIDE else []),
            (fit(wording.state(item.state), 15), _STYLES[item.state]),
            (fit(calls[0], 12, right=True), "plain"),
            (fit(calls[1], 13, right=True), "plain"),
            (fit(last, 6, right=True), "quiet"),
            (" ", "plain"),
        ]
        room = max(1, width - 1 - sum(cell_len(text) for text, _ in tail))
        return [(" ", "plain"), (fit(item.agent, room), "plain"), *tail]


def _key(item: ListedAgent) -> tuple[str, str]:
    """Return what identifies a line when the list is read again."""
    return item.agent, item.connection.file if item.connection else ""
