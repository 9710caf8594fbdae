"""Jump mode: a letter over each pane goes to it, any other key leaves (section 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import Static

from memtui.paths import data_folder
from memtui.tui.command_table import TABS
from memtui.tui.common.header import Header
from memtui.tui.common.screen import BaseScreen

LETTERS = "asdfghjkl"


@dataclass(frozen=True, slots=True)
class Target:
    """A pane or tab: its key, where the key is drawn, and the function that goes there."""

    key: str
    offset: Offset
    go: Callable[[], object]


def targets(screen: BaseScreen) -> list[Target]:
    """Return the focusable panes in reading order, each with a letter, and the screens with their digits."""
    panes = zip(LETTERS, screen.focus_chain, strict=False)
    found = [Target(key, pane.region.offset, pane.focus) for key, pane in panes if pane.region]
    header = screen.query_one(Header)
    for digit, _, mode in TABS:
        start, _end = header.tabs.get(mode, (0, 0))
        go = partial(screen.app.switch_mode, mode)
        found.append(Target(digit, Offset(start, header.region.y), go))
    return found


class JumpScreen(ModalScreen[Callable[[], object] | None]):
    """Draws the keys over the screen below; its result is the function of the chosen target."""

    CSS_PATH = data_folder("styles") / "jump.tcss"

    def __init__(self, targets: list[Target]) -> None:
        super().__init__()
        self._targets = targets

    def compose(self) -> ComposeResult:
        for target in self._targets:
            label = Static(Content(f" {target.key} "), classes="letter")
            label.styles.offset = (target.offset.x, target.offset.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self.is_current:  # a second key can be in the queue before the first is handled
            found = (target.go for target in self._targets if target.key == event.character)
            self.dismiss(next(found, None))

    def on_click(self) -> None:
        if self.is_current:
            self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """Close, since the panes have moved."""
        if self.is_current and event.size != self.app.size:
            self.dismiss(None)
