"""The base of the dialogs for verbs: they show, store by store, what the verb will do (S-8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.memory.results import Change, StorePreview
from memtui.tui.common.dialog import Dialog
from memtui.tui.memory.bulk import wording
from memtui.tui.memory.bulk.preview_text import preview_text
from memtui.tui.workers.guarded import error_text, worker
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.tui.app import MemtuiApp
    from memtui.workspace.background import JobControl
    from memtui.workspace.workspace import Workspace

MARGIN = 8  # cells that the border and the padding of a dialog take


@dataclass(frozen=True, slots=True)
class Job:
    """What a dialog was closed with: a verb on these memories, to be run in the writing thread."""

    action: str
    ids: Sequence[int]
    run: Callable[[JobControl | None], Change]


class VerbDialog(Dialog[Job | None]):
    """Closes with the job, None if it was left. A dialog adds its inputs, above what the verb will do."""

    NAME: ClassVar[str] = "verb"
    app: MemtuiApp

    def __init__(self, workspace: Workspace, action: str, ids: Sequence[int]) -> None:
        super().__init__()
        self._workspace = workspace
        self.action, self.ids = action, list(ids)
        self.with_entities = False  # of what is forgotten: the entities that lose their last memory go, too
        self.previews: list[StorePreview] | None = None  # None until they are read

    def inputs(self) -> Sequence[Widget]:
        """Return the widgets above what the verb will do."""
        return ()

    def compose(self) -> ComposeResult:
        with Vertical(id=self.NAME, classes="dialog verb"):
            yield from self.inputs()
            yield VerticalScroll(Static(Content(wording.READING), id="preview"), can_focus=False)
            yield Static(id="message")

    def on_mount(self) -> None:
        self.set_titles()
        self.load()

    def set_titles(self) -> None:
        """Show the title and the keys."""
        box = self.query_one(".dialog")
        box.border_title = Content(wording.title(self.action, len(self.ids)))
        box.border_subtitle = Content(wording.keys(self.action))

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        """What the verb sets, as far as it is known yet."""
        return {}

    @property
    def retag(self) -> Callable[[tuple[str, ...]], tuple[str, ...]] | None:
        """How the verb changes tags, if it does."""
        return None

    @worker(wording.PREVIEW_FAILED, group="preview")
    async def load(self) -> None:
        """Read and show what the verb will do."""
        self.previews = None
        read = partial(self._workspace.preview, with_entities=self.with_entities)
        try:
            self.previews = await self.app.lanes.read(read, self.action, self.ids, self.fields, self.retag)
        except Exception as error:  # only what was shown can be done
            self.query_one("#preview", Static).update(Content(""))
            self.show_message(error_text(error))
            return
        self.draw()
        self.previewed()

    def draw(self) -> None:
        """Show what the verb will do."""
        box = self.query_one(".dialog")
        width = box.size.width - box.gutter.width if box.size.width else self.app.size.width - MARGIN
        text = preview_text(self.previews or (), self.app.store_names, max(20, width - 2))
        self.query_one("#preview", Static).update(text)

    def on_resize(self) -> None:
        if self.previews is not None:
            self.draw()

    def previewed(self) -> None:
        """React to what the verb will do."""

    @property
    def possible(self) -> int:
        """How many memories would change."""
        return sum(each.count for each in self.previews or ())

    def why_nothing(self) -> str:
        """Return why nothing would change."""
        reasons = [reason for each in self.previews or () for reason in each.blocked]
        return wording.none_possible(self.action, reasons[0] if reasons else wording.NOTHING_SELECTED)

    def job(self) -> Job | None:
        """Return what was asked for; None if it cannot be done, after showing why."""
        work, ids, action = self._workspace, self.ids, self.action
        return Job(action, ids, lambda control: getattr(work, action)(ids, control=control))

    def action_go(self) -> None:
        if self.previews is None:
            self.show_message(wording.READING)
        elif (job := self.job()) is not None:
            if self.possible:
                self.dismiss(job)
            else:
                self.show_message(self.why_nothing())

    def action_cancel(self) -> None:
        self.dismiss(None)
