"""The part of the Stores screen about agents: reading them, showing one, and its keys (S-87)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.memory.agents.figures import Overtaken
from memtui.memory.results import Change
from memtui.tui.command_table import FooterItem
from memtui.tui.common.footer import Footer
from memtui.tui.stores.agents import actions, wording
from memtui.tui.stores.agents.agent_list import AgentList
from memtui.tui.stores.agents.agent_text import agent_text
from memtui.tui.stores.lists import StoreListsScreen
from memtui.tui.workers.guarded import worker
from memtui.workspace.agents.listing import ListedAgent

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

OF_AGENTS = (
    ("agent.changes", "changes", 4),
    ("agent.connect", "connect", 5),
    ("agent.disconnect", "disconnect", 6),
    ("agent.policy", "policy", 7),
)
"""The keys of the pane, with their words in the footer and how long a narrow one keeps them."""
_WRITE = ("agent.connect", "agent.disconnect")


class AgentsScreen(StoreListsScreen):
    """Lists the connected agents, and connects and disconnects them."""

    agents: AgentList

    @worker(wording.AGENTS_UNREADABLE, group="agents")
    async def load_agents(self) -> None:
        """Read the connections and what each agent did, in the background: it reads their files."""
        workspace = self.app.workspace
        if workspace is None:
            return
        key = self.app.key("agent.connect")
        try:
            found = await self.app.lanes.background(workspace.agents)
        except Exception:
            self.agents.empty_lines = self.error_lines(wording.CONNECTIONS)
            self.agents.refresh()
            raise
        self.agents.empty_lines = [
            (wording.NO_AGENTS, "plain"),
            (wording.no_agents(key), "quiet"),
        ]
        self.agents.show(found)
        self.agents.display = bool(found) or not self.first_start
        self.update_titles()
        self.load_text()

    def agents_title(self) -> Content:
        """Return what the border of the list says."""
        return Content(wording.position(self.agents.cursor + 1, self.agents.count))

    async def text_of_agent(self, workspace: Workspace, item: ListedAgent, width: int) -> Content:
        """Return the text on an agent."""
        found: Sequence[Overtaken] = await self.read(workspace.overtaken, item.agent)
        return agent_text(item, found, self.app.clock(), width)

    def show_keys(self, *, of_agents: bool, hidden: Sequence[str]) -> None:
        """Show the keys of the pane that has the focus in the footer, instead of those of stores."""
        footer = self.query_one(Footer)
        items = [FooterItem(rank, self.app.key(id), label, id) for id, label, rank in OF_AGENTS]
        footer.extra = tuple(items) if of_agents else ()
        footer.hidden = frozenset(hidden) if of_agents else frozenset()

    # Keys

    def agent_blocked(self, id: str) -> str:
        """Return why a command of the pane cannot work now, or ""."""
        item, key = self.agents.highlighted, self.app.key
        if self.app.read_only and id in _WRITE:
            return wording.READ_ONLY
        if id != "agent.connect" and item is None:
            return wording.no_agent(key("agent.connect"))
        if id == "agent.disconnect" and item is not None and item.connection is None:
            return wording.NOTHING_TO_DISCONNECT
        return ""

    def _agents_workspace(self, id: str) -> Workspace | None:
        """Return the workspace if a command can work now, else None after a message."""
        workspace = self.app.ready_workspace()
        if workspace is not None and (reason := self.agent_blocked(id)):
            self.app.show_status(reason, tone="error")
            return None
        return workspace

    async def action_agent_changes(self) -> None:
        """Show what the agent changed, in the journal."""
        item = self.agents.highlighted
        if self._agents_workspace("agent.changes") and item is not None:
            await self.app.show_changes_by(item.agent)

    async def action_agent_policy(self) -> None:
        """Show what the agent may read and write, and into which store, on Rules."""
        item = self.agents.highlighted
        if self._agents_workspace("agent.policy") and item is not None:
            await self.app.show_policy(item.agent)

    def action_agent_connect(self) -> None:
        from memtui.tui.stores.agents.connect_dialog import ConnectDialog

        if workspace := self._agents_workspace("agent.connect"):
            self.app.push_screen(ConnectDialog(workspace), self._announce_connection)

    async def _announce_connection(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change)

    def action_agent_disconnect(self) -> None:
        workspace, item = self._agents_workspace("agent.disconnect"), self.agents.highlighted
        if workspace is not None and item is not None and item.connection is not None:
            self._ask_to_disconnect(workspace, item.connection.file)

    @worker(wording.NOT_PLANNED, group="disconnect")
    async def _ask_to_disconnect(self, workspace: Workspace, file: str) -> None:
        """Show what disconnecting would change, and ask."""
        from memtui.tui.stores.agents.disconnect_dialog import DisconnectDialog

        planned = await self.app.lanes.read_raw(actions.plan_disconnection, workspace, file)
        if not self.is_active:  # a key for what was opened meanwhile would agree
            self.app.show_status(wording.OVERTAKEN_BY, tone="error")
            return

        def then(agreed: bool | None) -> None:
            if agreed:
                self.app.run_change(partial(workspace.disconnect, *planned.connections))

        self.app.push_screen(DisconnectDialog(planned), then)
