"""Messages between the parts of a screen, and the status line's data."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

# Background work that a status may be about.
READING, EMBEDDING, COMPARING, CHANGING = "reading", "embedding", "comparing", "changing"


@dataclass(frozen=True, slots=True)
class Status:
    """What the line above the footer shows.

    `tone` is quiet, done or error. `about` is the background work whose progress it shows, which replaces
    and clears its own status only. With `working`, it stays until the next one.
    """

    text: str = ""
    tone: str = "quiet"
    hint: str = ""
    about: str = ""
    working: bool = False


class CursorMoved(Message):
    """Another line of a list is highlighted, or the same line holds another item."""


class Opened(Message):
    """Enter or a second click on the highlighted line."""


@dataclass
class LinkFollowed(Message):
    """A link was followed to the memory `id`; None if it leads to none, for `reason`."""

    id: int | None
    reason: str


class MarksChanged(Message):
    """Lines were marked or unmarked."""


class NewRowsSeen(Message):
    """Some or all new rows above the screen were scrolled into sight."""


class EndReached(Message):
    """The last line that the list has loaded is on the screen."""


@dataclass
class QueryChanged(Message):
    """The user typed in the search bar."""

    text: str


@dataclass
class ViewClicked(Message):
    """A quick view was clicked in the bar, by its code; "" for the key that lists all of them."""

    code: str


class SuggestionClicked(Message):
    """A suggestion was clicked."""
