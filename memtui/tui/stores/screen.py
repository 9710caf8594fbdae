"""Stores: where the memories lie, what was found on this machine, and how each store fares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from memtui.memory.results import Change
from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.paths import shipped
from memtui.tui import command_table
from memtui.tui.common.footer import Footer
from memtui.tui.common.screen import BaseScreen
from memtui.tui.common.text_pane import TextPane
from memtui.tui.messages import READING, Opened
from memtui.tui.stores import actions
from memtui.tui.stores.finding_list import FindingList
from memtui.tui.stores.store_list import StoreList
from memtui.tui.stores.store_text import OWN, ailment_text, found_text, short_path, store_text
from memtui.tui.stores.welcome import welcome
from memtui.tui.text.glyphs import counted, grouped
from memtui.tui.workers.guarded import worker
from memtui.tui.workers.store_watcher import LOADED

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

# After these, stores may be found or healthy that were not.
MOVED = ("attached", "detached", "renamed", "mended", "restored-backup", LOADED)
UNKNOWN = "unknown"
"""The format of what was found and cannot be attached: a database of another kind."""
OF_A_STORE = ("store.detach", "store.rename", "store.lock", "store.backups")
CHANGING = ("store.attach", "store.detach", "store.rename", "store.lock", "store.mend")
OWN_STAYS = {
    "store.detach": "memtui's own store cannot be detached.",
    "store.rename": "memtui's own store keeps its name.",
    "store.lock": "memtui's own store is written by you alone; it needs no lock.",
}


class StoresScreen(BaseScreen):
    """Attach, detach, rename and lock stores; hear the doctor; go back to a backup (S-2a, S-3, S-6, S-91)."""

    MODE = command_table.STORES
    used: StoreList | FindingList
    """The list that was in use last: its line is shown beside it."""
    CSS_PATH = shipped("styles") / "stores.tcss"
    BINDINGS = command_table.bindings(command_table.STORES)

    def __init__(self) -> None:
        super().__init__()
        self._attached: list[StoreInfo] = []
        self._found: list[DiscoveredStore] | None = None
        self._places: Sequence[str] = ()
        self._ailments: list[Issue] | None = None
        self._examining = self._again = False
        self._begun = False
        self._shown: object = None

    def body(self) -> Iterable[Widget]:
        yield Container(
            Vertical(StoreList(self.app.clock, id="list"), FindingList(id="findings"), id="lists"),
            TextPane(id="detail"),
            id="panes",
        )

    def on_mount(self) -> None:
        super().on_mount()
        self.stores = self.query_one(StoreList)
        self.findings = self.query_one(FindingList)
        self.view = self.query_one(TextPane)
        self.used = self.stores
        self.stores.empty_lines = self.opening_lines()
        self.update_titles()
        self.stores.focus()
        self.watch(self.app, "workspace", self._opened)

    def _opened(self) -> None:
        self.load()

    def on_screen_resume(self) -> None:
        if self._begun:
            self.load()

    def on_resize(self) -> None:
        if self._begun:
            self.call_after_refresh(self.load_text)

    @property
    def first_start(self) -> bool:
        """Whether there is nothing yet: no store of an agent and no memory of one's own."""
        return self._begun and all(each.format == OWN and not each.count for each in self._attached)

    @property
    def looked(self) -> bool:
        """Whether all that is to be seen here was looked at once."""
        return self._begun and self._found is not None and not self._examining

    # What is shown

    @worker("The stores could not be read", group="stores")
    async def load(self) -> None:
        """Read the attached stores; what else there is on the machine is looked for once they stand."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            self._attached, self.stores.titles = await self.read(actions.attached, workspace)
        except Exception:
            self.stores.empty_lines = self.error_lines("The list of stores")
            self.stores.refresh()
            raise
        begun, self._begun = self._begun, True
        self.fill()
        if not begun:
            self.discover()
            self.examine()

    @worker("This machine could not be looked over", group="discover")
    async def discover(self) -> None:
        """Look for stores in the known places, beside all other work (S-3)."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            self._found, self._places = await self.app.lanes.background(actions.discovered, workspace)
        except Exception:
            self._found = self._found or []
            raise
        finally:
            self.fill()

    @worker("The doctor could not look", group="doctor", exclusive=False)
    async def examine(self) -> None:
        """Let the doctor look, beside all other work (S-91)."""
        workspace = self.app.workspace
        if workspace is None:
            return
        if self._examining:
            self._again = True
            return
        self._examining = True
        self.findings.empty_lines = [("The doctor is looking …", "quiet")]
        self.update_titles()
        self.findings.refresh()
        try:
            self._ailments = await self.app.lanes.background(workspace.doctor)
            self.findings.empty_lines = [("✓ Nothing is wrong or odd.", "quiet")]
            self.findings.store_names = self.app.store_names
        except Exception:
            self._ailments = None
            self.findings.empty_lines = [
                ("The doctor could not look: see below.", "wrong"),
                (f"{self.app.key('store.check')}  try again", "quiet"),
            ]
            raise
        finally:
            self._examining = False
            self.findings.show(self._ailments or ())
            self.stores.ailments = self._ailments or ()
            self.stores.refresh()
            self.update_titles()
            self.load_text()
        if self._again:
            self._again = False
            self.examine()

    def fill(self) -> None:
        """The lists as they are known by now; no line moves but by what came or left above it."""
        known = {(each.format, each.path) for each in self._attached}
        found = [each for each in self._found or () if (each.format, each.path) not in known]
        self.set_class(self.first_start, "first")
        if self.first_start and self._found is None:
            self.stores.empty_lines = [("Looking for the stores of your agents …", "quiet")]
            self.stores.show([], [])
        else:
            self.stores.show(self._attached, found)
        self.update_titles()
        self.load_text()

    @worker("The store could not be read", group="store-text")
    async def load_text(self) -> None:
        """Show the store or the finding under the cursor."""
        workspace, item = self.app.workspace, self.used.highlighted
        width = max(10, self.view.container_size.width - 1)
        title, text = "Store", Content("")
        if isinstance(item, Issue):
            title, text = "Finding", ailment_text(item, width, self.app.key)
        elif isinstance(item, DiscoveredStore):
            title, text = "Found", found_text(item, width, None if self.first_start else self.app.key)
        elif item is not None and workspace is not None:
            try:
                facts = await self.read(actions.facts_of, workspace, item.name)
            except Exception:
                # What stands there belongs to another store.
                self.view.show(Content(""), keep_place=False)
                raise
            ailments = [each for each in self._ailments or () if each.store == item.name]
            now = self.app.clock()
            text = store_text(item, self.stores.title_of(item), facts, ailments, now, width, self.app.key)
        if self.first_start and not isinstance(item, Issue):
            unattached = None if self._found is None else self._unattached()
            hello = Content.assemble(*welcome(unattached, self._places, self.app.key))
            title, text = "Welcome", Content.assemble(hello, "\n", text) if unattached else hello
        self.view.border_title = Content(title)
        self.view.show(text, keep_place=item == self._shown)
        self._shown = item

    def _unattached(self) -> list[DiscoveredStore]:
        return [item for item in self.stores.items if isinstance(item, DiscoveredStore)]

    def update_titles(self) -> None:
        count = self.stores.count - (None in self.stores.items)
        place = self.stores.cursor + 1 - (None in self.stores.items[: self.stores.cursor])
        found = "" if self.looked or not self._begun else "looking …"
        if unattached := len(self._unattached()):
            found = f"{grouped(unattached)} found"
        told = f"{grouped(place)} of {grouped(count)}" if count else ""
        self.stores.set_title("Stores", Content(" · ".join(part for part in (told, found) if part)))
        count, grave = self.findings.count, sum(each.severe for each in self._ailments or ())
        told = f"{grouped(self.findings.cursor + 1)} of {grouped(count)}" if count else ""
        parts = (told, f"{grouped(grave)} grave" if grave else "", "looking …" if self._examining else "")
        self.findings.set_title("Findings", Content(" · ".join(part for part in parts if part)))

    # News

    def on_change(self, change: Change) -> None:
        self.load()
        if change.kind in MOVED and self._begun:
            self.discover()
            self.examine()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, StoreList | FindingList) and event.widget is not self.used:
            self.used = event.widget
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
        item, info = self.used.highlighted, self._info()
        attach = self.app.key("store.attach")
        if self.app.read_only and id in CHANGING:
            return "The workspace was opened read-only: nothing is attached, detached or changed."
        if id in OF_A_STORE and info is None:
            if isinstance(item, DiscoveredStore):
                return f"This store is not attached; {self.app.key('store.open')} attaches it."
            if isinstance(item, Issue):
                return "This finding is of the workspace itself; choose a store."
            return f"No store is under the cursor; {attach} attaches one."
        if info is not None and info.format == OWN and id in OWN_STAYS:
            return OWN_STAYS[id]
        if id == "store.open" and item is None:
            return "Nothing to show: nothing is under the cursor."
        if id == "store.mend":
            return self._unmendable()
        return ""

    def _unmendable(self) -> str:
        ailment = self.findings.highlighted
        if ailment is None:
            looking = "The doctor is still looking."
            return looking if self._examining else "Nothing to mend: there is no finding."
        if self.used is self.findings and not ailment.repair:
            return f"memtui cannot mend this. {ailment.meaning}".strip()
        return ""

    def _can(self, id: str) -> Workspace | None:
        """The workspace if a command can work now; else the status line says why not."""
        workspace = self.app.ready_workspace()
        if workspace is not None and (why := self.blocked_reason(id)):
            self.app.show_status(why, tone="wrong")
            return None
        return workspace

    def _info(self) -> StoreInfo | None:
        """The attached store that the cursor, or the finding under it, stands for."""
        item = self.used.highlighted
        if isinstance(item, Issue):
            return next((each for each in self._attached if each.name == item.store), None)
        return item if isinstance(item, StoreInfo) else None

    # Keys

    async def action_open(self) -> None:
        workspace, item = self._can("store.open"), self.used.highlighted
        if workspace is None:
            return
        if isinstance(item, StoreInfo):
            await self.app.browse(actions.query_for(item.name))
        elif isinstance(item, DiscoveredStore):
            if self._can("store.attach"):
                self._attach_and_show(item)
        else:
            self.set_full_screen(True)
            self.view.focus()

    @worker("It could not be attached", group="attach", exclusive=False)
    async def _attach_and_show(self, found: DiscoveredStore) -> None:
        workspace = self.app.ready_workspace()
        if workspace is None:
            return
        self.app.show_status(f"Reading {short_path(found.path)} …", about=READING)
        infos = await self.app.lanes.background(workspace.attach, found.path)
        await self.app.announce(actions.told_of(infos), hint=f"{self.app.key('screen.stores')} the stores")
        if infos:
            await self.app.browse(actions.query_for(infos[0].name))
            await self.load().wait()
            self.stores.point_at(infos[0].name)

    @worker("It could not be attached", group="attach", exclusive=False)
    async def _attach_here(self, workspace: Workspace, paths: list[str]) -> None:
        """Beside reading and writing: a store may be large."""
        await self.app.announce(await self.app.lanes.background(actions.attach, workspace, paths), hint="")

    def action_attach(self) -> None:
        item = self.used.highlighted
        if not isinstance(item, DiscoveredStore):
            self.action_attach_path()
        elif workspace := self._can("store.attach"):
            self.app.show_status(f"Reading {short_path(item.path)} …", about=READING)
            self._attach_here(workspace, [item.path])

    def action_attach_all(self) -> None:
        workspace = self._can("store.attach")
        paths = [each.path for each in self._unattached() if each.format != UNKNOWN]
        if workspace is not None and not paths:
            key = self.app.key("store.attach_path")
            self.app.show_status(f"Nothing to attach: no other store was found. {key} attaches a path.")
        elif workspace is not None:
            self.app.show_status(f"Reading {counted(len(paths), 'store')} …", about=READING)
            self._attach_here(workspace, paths)

    def action_attach_path(self) -> None:
        from memtui.tui.stores.attach import AttachDialog

        if workspace := self._can("store.attach"):
            self.app.push_screen(AttachDialog(workspace), self._came)

    async def _came(self, infos: list[StoreInfo] | None) -> None:
        if infos:
            await self.app.announce(
                actions.told_of(infos), hint=f"{self.app.key('store.open')} shows the memories"
            )
            await self.load().wait()
            self.stores.focus()
            self.stores.point_at(infos[0].name)

    def action_detach(self) -> None:
        workspace, info = self._can("store.detach"), self._info()
        if workspace is not None and info is not None:
            hint = f"{self.app.key('store.attach')} attaches it again"
            self.app.run_change(actions.detach, workspace, info.name, hint=hint)

    def action_rename(self) -> None:
        from memtui.tui.stores.rename import RenameDialog

        workspace, info = self._can("store.rename"), self._info()
        if workspace is not None and info is not None:
            self.app.push_screen(RenameDialog(workspace, info.name), self._changed)

    def action_lock(self) -> None:
        workspace, info = self._can("store.lock"), self._info()
        if workspace is not None and info is not None:
            hint = f"{self.app.key('store.lock')} takes it back"
            self.app.run_change(actions.lock, workspace, info.name, not info.locked, hint=hint)

    def action_backups(self) -> None:
        from memtui.tui.stores.backups import BackupsDialog

        workspace, info = self._can("store.backups"), self._info()
        if workspace is not None and info is not None:
            self.app.push_screen(BackupsDialog(workspace, info, self.app.clock), self._changed)

    async def _changed(self, change: Change | None) -> None:
        if change is not None:
            await self.app.announce(change, hint="")

    @worker("The doctor could not look", group="check")
    async def action_check(self) -> None:
        if self.app.ready_workspace() is None:
            return
        self.app.show_status("The doctor is looking …")
        self.discover()
        await self.examine().wait()
        if self._ailments is not None and not self._examining:
            grave = sum(each.severe for each in self._ailments)
            found = counted(len(self._ailments), "finding") if self._ailments else "nothing is wrong or odd"
            self.app.show_status(f"The doctor looked: {found}{f', {grouped(grave)} grave' if grave else ''}.")

    def action_mend(self) -> None:
        workspace, ailment = self._can("store.mend"), self.findings.highlighted
        if workspace is None or ailment is None:
            return
        if self.used is self.findings:
            self.app.run_change(actions.mend, workspace, ailment, hint="")
        else:
            self.findings.focus()
            self.app.show_status(f"Choose a finding; {self.app.key('store.mend')} mends it.")

    def action_back(self) -> None:
        if self.has_class("full"):
            self.set_full_screen(False)
            self.used.focus()
        else:
            self.stores.focus()
