"""Reading both lists of the Stores screen: the stores, and what the doctor finds (S-3, S-91)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.memory.stores import DiscoveredStore, Issue, StoreInfo
from memtui.tui.common.screen import BaseScreen
from memtui.tui.stores import actions, wording
from memtui.tui.stores.finding_list import FindingList
from memtui.tui.stores.store_list import StoreList
from memtui.tui.stores.store_text import OWN
from memtui.tui.workers.guarded import worker


class StoreListsScreen(BaseScreen):
    """Reads the attached stores in the lane; discovers and examines stores in the background."""

    stores: StoreList
    findings: FindingList

    def __init__(self) -> None:
        super().__init__()
        self._attached: list[StoreInfo] = []
        self._found: list[DiscoveredStore] | None = None
        self._searched: Sequence[str] = ()
        self._issues: list[Issue] | None = None
        self._examining = self._examine_again = False
        self._was_read = False
        self._wanted: tuple[str, str] | None = None  # the store and finding that the cursor goes to

    @property
    def first_start(self) -> bool:
        """Whether the workspace is still empty: no store of an agent, and no memory of the user's."""
        return self._was_read and all(each.format == OWN and not each.count for each in self._attached)

    @property
    def is_complete(self) -> bool:
        """Whether the stores were read, discovered and examined at least once."""
        return self._was_read and self._found is not None and not self._examining

    @worker(wording.STORES_UNREADABLE, group="stores")
    async def load(self) -> None:
        """Read the attached stores; the first time, then discover others and examine all."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            self._attached, self.stores.titles = await self.read(actions.read_attached, workspace)
        except Exception:
            self.stores.empty_lines = self.error_lines(wording.SUBJECT)
            self.stores.refresh()
            raise
        is_first, self._was_read = not self._was_read, True
        self.fill_lists()
        if is_first:
            self.discover()
            self.examine()

    @worker(wording.NOT_DISCOVERED, group="discover")
    async def discover(self) -> None:
        """Search the known places for stores, in the background (S-3)."""
        workspace = self.app.workspace
        if workspace is None:
            return
        try:
            self._found, self._searched = await self.app.lanes.background(actions.discover, workspace)
        except Exception:
            self._found = self._found or []
            raise
        finally:
            self.fill_lists()

    @worker(wording.NOT_EXAMINED, group="doctor", exclusive=False)
    async def examine(self) -> None:
        """Examine all stores, in the background; a call during an examination makes one more (S-91)."""
        workspace = self.app.workspace
        if workspace is None:
            return
        if self._examining:
            self._examine_again = True
            return
        self._examining = True
        self.findings.empty_lines = [(wording.EXAMINING, "quiet")]
        self.update_titles()
        self.findings.refresh()
        try:
            self._issues = await self.app.lanes.background(workspace.doctor)
            self.findings.empty_lines = [(wording.NO_FINDINGS, "quiet")]
            self.findings.store_names = self.app.store_names
        except Exception:
            self._issues = None
            self.findings.empty_lines = [
                (wording.EXAMINE_FAILED, "error"),
                (wording.try_again(self.app.key("store.check")), "quiet"),
            ]
            raise
        finally:
            self._examining = False
            self.findings.show(self._issues or ())
            self.stores.issues = self._issues or ()
            self.stores.refresh()
            self.update_titles()
            self._go_to_wanted()
            self.load_text()
        if self._examine_again:
            self._examine_again = False
            self.examine()

    def fill_lists(self) -> None:
        """List what is known by now; lines move only where others above them were added or removed."""
        known = {(each.format, each.path) for each in self._attached}
        found = [each for each in self._found or () if (each.format, each.path) not in known]
        self.set_class(self.first_start, "first")
        if self.first_start and self._found is None:
            self.stores.empty_lines = [(wording.SEARCHING, "quiet")]
            self.stores.show([], [])
        else:
            self.stores.show(self._attached, found)
        self._go_to_wanted()
        self.update_titles()
        self.load_text()

    def show_store(self, name: str, code: str = "") -> None:
        """Put the cursor on an attached store once it is listed, then on its first finding of a kind."""
        self._wanted = name, code
        self.stores.focus()
        self.load()

    def _go_to_wanted(self) -> None:
        if self._wanted is None:
            return
        name, code = self._wanted
        if not self.stores.move_to_store(name):
            return
        issues = self.findings.issues
        found = next((n for n, each in enumerate(issues) if (each.store, each.code) == (name, code)), None)
        if code and found is not None and self.stores.has_focus:
            self.findings.move_to(found)
            self.findings.focus()
        if not code or found is not None or (self._issues is not None and not self._examining):
            self._wanted = None

    def _unattached(self) -> list[DiscoveredStore]:
        """Return the listed stores that are not attached."""
        return [item for item in self.stores.items if isinstance(item, DiscoveredStore)]
