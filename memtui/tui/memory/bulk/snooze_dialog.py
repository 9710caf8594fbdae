"""The dialog that snoozes memories until a moment, or ends that (SPEC 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from memtui.memory.query.ranges import moment_ahead
from memtui.tui import command_table
from memtui.tui.commands import names
from memtui.tui.common.safe_input import SafeInput
from memtui.tui.common.virtual_list import Part, VirtualList
from memtui.tui.memory.bulk import wording
from memtui.tui.memory.bulk.verb_dialog import Job, VerbDialog
from memtui.tui.messages import CursorMoved, Opened
from memtui.tui.text.glyphs import fit, moment
from memtui.tui.workers.guarded import worker
from memtui.values import FieldValue

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace

DAY = 86_400.0
_CHOICES = ((wording.TOMORROW, 1), (wording.IN_A_WEEK, 7), (wording.IN_A_MONTH, 30))


class Choice(NamedTuple):
    """A moment to choose; None ends the snooze."""

    text: str
    until: float | None


class ChoiceLines(VirtualList):
    """A line per moment; the input moves the cursor."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__(id="moments")
        self.choices: list[Choice] = []

    @property
    def cursor_active(self) -> bool:
        return True

    def show(self, choices: list[Choice], cursor: int) -> None:
        """Replace the moments."""
        self.choices = choices
        self.styles.height = max(1, len(choices))
        self.refill(len(choices), cursor, keep_place=False)

    def parts(self, index: int, width: int) -> list[Part]:
        return [(fit(f" {self.choices[index].text}", width), "plain")]


class SnoozeDialog(VerbDialog):
    """Offers tomorrow, a week, a month or a typed moment; for snoozed memories first the end of it."""

    BINDINGS = command_table.bindings(names.SNOOZE)
    NAME = "snooze"

    def __init__(self, workspace: Workspace, ids: Sequence[int]) -> None:
        super().__init__(workspace, "snooze", ids)

    def inputs(self) -> Sequence[Widget]:
        self._lines = ChoiceLines()
        self._input = SafeInput(
            id="until", compact=True, select_on_focus=False, placeholder=wording.DATE_PLACEHOLDER
        )
        return [self._lines, self._input]

    def on_mount(self) -> None:
        self._offer(can_end=False)
        super().on_mount()
        self._input.focus()
        self._find_snoozed()

    def set_titles(self) -> None:
        box = self.query_one(".dialog")
        box.border_title = Content(wording.snooze_title(len(self.ids)))
        box.border_subtitle = Content(wording.keys("snooze"))

    @worker(wording.PREVIEW_FAILED, group="snoozed")
    async def _find_snoozed(self) -> None:
        """Offer the end of the snooze, first where all of the memories are snoozed."""
        found = await self.app.lanes.read(self._workspace.preview, "wake", self.ids)
        if any(each.count for each in found):
            self._offer(can_end=True, first=not any(each.blocked for each in found))

    def _offer(self, *, can_end: bool, first: bool = False) -> None:
        now = self.app.clock()
        choices = [
            Choice(wording.snooze_choice(name, moment(now + days * DAY, now)), now + days * DAY)
            for name, days in _CHOICES
        ]
        end = [Choice(wording.END_SNOOZE, None)] if can_end else []
        # A cursor that was moved meanwhile stays on its choice.
        at = self._lines.cursor
        cursor = at + len(end) if first and at else at
        self._lines.show([*end, *choices] if first else [*choices, *end], cursor)

    @property
    def _typed(self) -> str:
        return self._input.value.strip()

    def until(self) -> float | None:
        """Return the chosen or typed moment; None ends the snooze. Raise ValueError for what is no moment."""
        if text := self._typed:
            until = moment_ahead(text, self.app.clock())
            if until is None:
                raise ValueError(text)
            return until
        return self._lines.choices[self._lines.cursor].until

    @property
    def fields(self) -> Mapping[str, FieldValue]:
        try:
            return {"snoozed_until": self.until()}
        except ValueError:
            return {}

    def on_input_changed(self, event: Input.Changed) -> None:
        self._show_effect()

    def on_cursor_moved(self, message: CursorMoved) -> None:
        self._show_effect()

    def _show_effect(self) -> None:
        """Show what the choice means, and what it would do."""
        try:
            until = self.until()
        except ValueError:
            self.show_message(wording.not_a_moment(self._typed))
            return
        ends = until is None
        if (self.action == "wake") != ends or self.previews is not None:
            self.action = "wake" if ends else "snooze"
            self.load()
        self.show_message(wording.SHOWN_AGAIN if until is None else self.effect(until))

    def effect(self, until: float) -> str:
        """Return what the choice of a moment means, or why it cannot be chosen."""
        now = self.app.clock()
        day = moment(until, now)
        return wording.past(day) if until <= now else wording.until(day)

    def is_possible(self) -> bool:
        """Return whether what is chosen or typed can be done, or show why not."""
        try:
            until = self.until()
        except ValueError:
            self.show_message(wording.not_a_moment(self._typed))
            return False
        if until is not None and until <= self.app.clock():
            self.show_message(self.effect(until))
            return False
        return True

    def job(self) -> Job | None:
        if not self.is_possible():
            return None
        until = self.until()
        work, ids = self._workspace, self.ids
        return Job(self.action, ids, lambda control: work.snooze(ids, until, control))

    # Keys

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_go()

    def on_opened(self, message: Opened) -> None:
        self.action_go()

    def action_up(self) -> None:
        self._input.value = ""
        self._lines.action_up()

    def action_down(self) -> None:
        self._input.value = ""
        self._lines.action_down()
