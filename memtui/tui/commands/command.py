"""A command: an action with its keys and texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """An action with its keys and texts.

    `label` is its word in the footer and `help` its line in the help; `group` is the heading there.
    `screens` are the screens or dialogs that have it, `action` is Textual's action. `footer` is its rank
    (1 is kept longest on a narrow screen, 0 is never drawn). `pane` commands are bound by the focused list
    or text, the others by the screen.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    screens: tuple[str, ...]
    action: str
    footer: int = 0
    pane: bool = False
