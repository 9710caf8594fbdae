"""A letter over each pane; the letter goes there, any other key leaves (section 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widgets import Static

from memtui.paths import shipped
from memtui.tui.command_table import TABS
from memtui.tui.common.header import Header
from memtui.tui.common.screen import BaseScreen

LETTERS = "asdfghjkl"


@dataclass(frozen=True, slots=True)
class Target:
    """A place to go to: the key, where the key is drawn, and the way there."""

    key: str
    at: Offset
    go: Callable[[], Any]


def targets(screen: BaseScreen) -> list[Target]:
    """The panes that take the focus, in reading order, by letter; the screens by their digit."""
    panes = zip(LETTERS, screen.focus_chain, strict=False)
    found = [Target(key, pane.region.offset, pane.focus) for key, pane in panes if pane.region]
    top = screen.query_one(Header)
    for digit, _, mode in TABS:
        start, _end = top.tabs.get(mode, (0, 0))
        go = partial(screen.app.switch_mode, mode)
        found.append(Target(digit, Offset(start, top.region.y), go))
    return found


class JumpScreen(ModalScreen[Callable[[], Any] | None]):
    """Draws the keys over the screen below."""

    CSS_PATH = shipped("styles") / "jump.tcss"

    def __init__(self, targets: list[Target]) -> None:
        super().__init__()
        self._targets = targets

    def compose(self) -> ComposeResult:
        for target in self._targets:
            label = Static(Content(f" {target.key} "), classes="letter")
            label.styles.offset = (target.at.x, target.at.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        found = (target.go for target in self._targets if target.key == event.character)
        self.dismiss(next(found, None))

    def on_click(self) -> None:
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """The panes stand elsewhere now."""
        if self.is_current and event.size != self.app.size:
            self.dismiss(None)
