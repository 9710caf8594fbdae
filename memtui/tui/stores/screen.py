"""The Stores screen: attached stores, those found on this machine, and the doctor's findings."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from memtui.memory.results import Change
from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.paths import data_folder
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.footer import Footer
from memtui.tui.common.text_pane import TextPane
from memtui.tui.messages import READING, Opened
from memtui.tui.stores import actions, wording
from memtui.tui.stores.agents.agent_list import AgentList
from memtui.tui.stores.agents.pane import AgentsScreen
from memtui.tui.stores.agents.wording import AGENT, CONNECTIONS, NOT_A_STORE
from memtui.tui.stores.finding_list import FindingList
from memtui.tui.stores.store_list import StoreList
from memtui.tui.stores.store_text import OWN, found_text, issue_text, short_path, store_text
from memtui.tui.stores.welcome import welcome
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import LOADED
from memtui.workspace.agents.listing import ListedAgent

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

# Kinds of changes after which stores may be found, or healthy, that were not before.
RESCAN_AFTER = ("attached", "detached", "renamed", "mended", "restored-backup", LOADED)
UNKNOWN_FORMAT = "unknown"  # of a database that was found but cannot be attached
STORE_COMMANDS = ("store.detach", "store.rename", "store.lock", "store.backups", "store.agent_view")
NOT_OF_AGENTS = (*STORE_COMMANDS, "store.open", "store.attach", "store.import", "store.repair")
WRITING_COMMANDS = (
    *("store.attach", "store.detach", "store.rename", "store.lock", "store.repair", "store.import"),
)


class StoresScreen(AgentsScreen):
    """Attaches, detaches, renames and locks stores, repairs them, restores backups (S-2a, S-3, S-6, S-91)."""

    MODE = names.STORES
    active_list: StoreList | AgentList | FindingList
    """The list focused last, whose highlighted line is shown in the pane."""
    CSS_PATH = data_folder("styles") / "stores.tcss"
    BINDINGS = command_table.bindings(names.STORES)

    def __init__(self) -> None:
        super().__init__()
        self._shown: object = None

    def body(self) -> Iterable[Widget]:
        yield Container(
            Vertical(
                StoreList(self.app.clock, id="list"),
                FindingList(id="findings"),
                AgentList(self.app.clock, id="agents"),
                id="lists",
            ),
            TextPane(id="detail"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.stores = self.query_one(StoreList)
        self.agents = self.query_one(AgentList)
        self.findings = self.query_one(FindingList)
        self.view = self.query_one(TextPane)
        self.active_list = self.stores
        self.stores.empty_lines = self.opening_lines()
        self.update_titles()
        self.stores.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()
        self.load_agents()

    def on_screen_resume(self) -> None:
        if self._was_read:
            self.load()
            self.load_agents()

    def on_resize(self) -> None:
        if self._was_read:
            self.call_after_refresh(self.load_text)

    @worker(wording.STORE_UNREADABLE, group="store-text")
    async def load_text(self) -> None:
        """Show the store or the finding under the cursor."""
        workspace, item = self.app.workspace, self.active_list.highlighted
        width = max(10, self.view.container_size.width - 1)
        title, text = "Store", Content("")
        if isinstance(item, Issue):
            title, text = "Finding", issue_text(item, width, self.app.key)
        elif isinstance(item, ListedAgent):
            if workspace is not None:
                title, text = AGENT, await self.text_of_agent(workspace, item, width)
        elif isinstance(item, DiscoveredStore):
            title, text = "Found", found_text(item, width, None if self.first_start else self.app.key)
        elif item is not None and workspace is not None:
            try:
                facts = await self.read(actions.read_facts, workspace, item.name)
            except Exception:
                # The pane still shows another store.
                self.view.show(Content(""), keep_place=False)
                raise
            issues = [each for each in self._issues or () if each.store == item.name]
            now = self.app.clock()
            text = store_text(item, self.stores.title_of(item), facts, issues, now, width, self.app.key)
        if self.first_start and not isinstance(item, Issue | ListedAgent):
            unattached = None if self._found is None else self._unattached()
            intro = Content.assemble(*welcome(unattached, self._searched, self.app.key))
            title, text = "Welcome", Content.assemble(intro, "\n", text) if unattached else intro
        self.view.border_title = Content(title)
        self.view.show(text, keep_place=item == self._shown)
        self._shown = item

    def update_titles(self) -> None:
        items, cursor = self.stores.items, self.stores.cursor
        position = wording.position(cursor + 1 - (None in items[:cursor]), len(items) - (None in items))
        found = "" if self.is_complete or not self._was_read else wording.LOOKING
        if unattached := len(self._unattached()):
            found = wording.found(unattached)
        self.stores.set_title("Stores", Content(" · ".join(text for text in (position, found) if text)))
        self.agents.set_title(CONNECTIONS, self.agents_title())
        position = wording.position(self.findings.cursor + 1, self.findings.count)
        severe = wording.severe(sum(issue.severe for issue in self._issues or ()))
        subtitle = (position, severe, wording.CHECKING if self._examining else "")
        self.findings.set_title("Findings", Content(" · ".join(text for text in subtitle if text)))

    # Messages

    def on_change(self, change: Change) -> None:
        self.load()
        if self in self.app.screen_stack:
            self.load_agents()
        if change.kind in RESCAN_AFTER and self._was_read:
            self.discover()
            self.examine()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        widget = event.widget
        if isinstance(widget, StoreList | AgentList | FindingList) and widget is not self.active_list:
            self.active_list = widget
            self.show_keys(of_agents=widget is self.agents, hidden=NOT_OF_AGENTS)
            self.load_text()

    async def on_opened(self, message: Opened) -> None:
        await self.action_open()

    def set_full_screen(self, full: bool) -> None:
        super().set_full_screen(full)
        if full:
            keys = self.query_one(Footer)
            keys.hidden = keys.hidden | {"store.open", "store.lock"}

    # Why a key cannot work now

    def blocked_reason(self, id: str) -> str:
        item, info = self.active_list.highlighted, self._selected_store()
        if id == "store.connect" or isinstance(item, ListedAgent):
            return self.agent_blocked("agent.connect") if id == "store.connect" else self._not_of_agent(id)
        if self.app.read_only and id in WRITING_COMMANDS:
            return wording.READ_ONLY
        if id == "store.import" and info is not None and info.read_only:
            return wording.not_importable(info.read_only)
        if id in STORE_COMMANDS and info is None:
            if isinstance(item, DiscoveredStore):
                return wording.not_attached(self.app.key("store.open"))
            if isinstance(item, Issue):
                return wording.WORKSPACE_FINDING
            return wording.no_store(self.app.key("store.attach"))
        if info is not None and info.format == OWN and id in wording.OWN_STORE:
            return wording.OWN_STORE[id]
        if id == "store.open" and item is None:
            return wording.NOTHING_TO_SHOW
        if id == "store.repair":
            return self._not_repairable_reason()
        return ""

    def _not_of_agent(self, id: str) -> str:
        """Return why a command cannot work while an agent is selected, or ""."""
        return NOT_A_STORE if id in (*STORE_COMMANDS, "store.open", "store.import") else ""

    def _not_repairable_reason(self) -> str:
        issue = self.findings.highlighted
        if issue is None:
            return wording.STILL_EXAMINING if self._examining else wording.NOTHING_TO_REPAIR
        if self.active_list is self.findings and not issue.repair:
            return wording.not_repairable(issue.meaning)
        return ""

    def _workspace_for(self, id: str) -> Workspace | None:
        """Return the workspace if a command can work now, else None after a message."""
        workspace = self.app.ready_workspace()
        if workspace is not None and (reason := self.blocked_reason(id)):
            self.app.show_status(reason, tone="error")
            return None
        return workspace

    def _selected_store(self) -> StoreInfo | None:
        """Return the highlighted attached store, or the store of the highlighted finding."""
        item = self.active_list.highlighted
        if isinstance(item, Issue):
            return next((each for each in self._attached if each.name == item.store), None)
        return item if isinstance(item, StoreInfo) else None

    # Keys

    async def action_open(self) -> None:
        workspace, item = self._workspace_for("store.open"), self.active_list.highlighted
        if workspace is None:
            return
        if isinstance(item, StoreInfo):
            await self.app.browse(actions.query_for(item.name))
        elif isinstance(item, DiscoveredStore):
            if self._workspace_for("store.attach"):
                self._attach_and_show(workspace, item)
        else:
            self.set_full_screen(True)
            self.view.focus()

    def _attach_and_show(self, workspace: Workspace, found: DiscoveredStore) -> None:
        self.app.show_status(wording.reading(short_path(found.path)), about=READING, working=True)
        self._show_memories_when_attached(self.app.lanes.background(workspace.attach, found.path))

    @worker(wording.NOT_ATTACHED, group="attach", exclusive=False)
    async def _show_memories_when_attached(self, attaching: Awaitable[Sequence[StoreInfo]]) -> None:
        infos = await attaching
        await self.app.announce(
            actions.attached_change(infos), hint=wording.stores_key(self.app.key("screen.stores"))
        )
        if infos:
            await self.app.browse(actions.query_for(infos[0].name))
            self.show_store(infos[0].name)

    def _attach_here(self, workspace: Workspace, paths: list[str]) -> None:
        """Attach in the background, since a store may be large."""
        self._announce_when_attached(self.app.lanes.background(actions.attach, workspace, paths))

    @worker(wording.NOT_ATTACHED, group="attach", exclusive=False)
    async def _announce_when_attached(self, attaching: Awaitable[Change]) -> None:
        await self.app.announce(await attaching, hint="")

    def action_attach(self) -> None:
        item = self.active_list.highlighted
        if not isinstance(item, DiscoveredStore):
            self.action_attach_path()
        elif workspace := self._workspace_for("store.attach"):
            self.app.show_status(wording.reading(short_path(item.path)), about=READING, working=True)
            self._attach_here(workspace, [item.path])

    def action_attach_all(self) -> None:
        workspace = self._workspace_for("store.attach")
        paths = [each.path for each in self._unattached() if each.format != UNKNOWN_FORMAT]
        if workspace is not None and not paths:
            key = self.app.key("store.attach_path")
            self.app.show_status(wording.nothing_to_attach(key))
        elif workspace is not None:
            self.app.show_status(wording.reading_stores(len(paths)), about=READING, working=True)
            self._attach_here(workspace, paths)

    def action_attach_path(self) -> None:
        from memtui.tui.stores.attach import AttachDialog

        if workspace := self._workspace_for("store.attach"):
            self.app.push_screen(AttachDialog(workspace), self._show_attached)

    async def _show_attached(self, infos: list[StoreInfo] | None) -> None:
        if infos:
            await self.app.announce(
                actions.attached_change(infos), hint=wording.shows_memories(self.app.key("store.open"))
            )
            self.show_store(infos[0].name)

    def action_detach(self) -> None:
        workspace, info = self._workspace_for("store.detach"), self._selected_store()
        if workspace is not None and info is not None:
            hint = wording.attaches_again(self.app.key("store.attach"))
            self.app.run_change(actions.detach, workspace, info.name, hint=hint)

    def action_rename(self) -> None:
        from memtui.tui.stores.rename import RenameDialog

        workspace, info = self._workspace_for("store.rename"), self._selected_store()
        if workspace is not None and info is not None:
            self.app.push_screen(RenameDialog(workspace, info.name), self._announce)

    def action_lock(self) -> None:
        workspace, info = self._workspace_for("store.lock"), self._selected_store()
        if workspace is not None and info is not None:
            hint = wording.takes_back(self.app.key("store.lock"))
            self.app.run_change(actions.lock, workspace, info.name, not info.locked, hint=hint)

    def action_backups(self) -> None:
        from memtui.tui.stores.backups import BackupsDialog

        workspace, info = self._workspace_for("store.backups"), self._selected_store()
        if workspace is not None and info is not None:
            self.app.push_screen(BackupsDialog(workspace, info, self.app.clock), self._announce)

    def action_agent_view(self) -> None:
        from memtui.tui.stores.agent_view import AgentViewDialog

        workspace, info = self._workspace_for("store.agent_view"), self._selected_store()
        if workspace is not None and info is not None:
            self.app.push_screen(AgentViewDialog(workspace, info.name))

    def action_import_file(self) -> None:
        """Import to the store under the cursor if it is attached, else to memtui's own."""
        from memtui.tui.stores.importing import flow

        if workspace := self._workspace_for("store.import"):
            info = self._selected_store()
            flow.begin(self.app, workspace, info.name if info is not None else OWN)

    async def _announce(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change, hint="")

    @worker(wording.NOT_EXAMINED, group="check")
    async def action_check(self) -> None:
        if self.app.ready_workspace() is None:
            return
        if self.app.news:
            self.app.store_watcher.reload()
        self.app.show_status(wording.EXAMINING, working=True)
        self.load_agents()
        self.discover()
        await self.examine().wait()
        if self._issues is not None and not self._examining:
            severe = sum(issue.severe for issue in self._issues)
            self.app.show_status(wording.examined(len(self._issues), severe))

    def action_repair(self) -> None:
        workspace, issue = self._workspace_for("store.repair"), self.findings.highlighted
        if workspace is None or issue is None:
            return
        if self.active_list is self.findings:
            self.app.run_change(actions.repair, workspace, issue, hint="")
        else:
            self.findings.focus()
            self.app.show_status(wording.choose_finding(self.app.key("store.repair")))

    def action_back(self) -> None:
        if self.has_class("full"):
            self.set_full_screen(False)
            self.active_list.focus()
        else:
            self.stores.focus()
