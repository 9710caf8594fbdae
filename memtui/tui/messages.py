"""What happened in one part of the screen that another part wants to know."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

READING, EMBEDDING, COMPARING = "reading", "embedding", "comparing"  # what a status may be about


@dataclass(frozen=True, slots=True)
class Status:
    """The one line above the footer; `tone` is quiet, done or wrong. `about` is the work that it tells of,
    where that goes on and takes its own line away."""

    text: str = ""
    tone: str = "quiet"
    hint: str = ""
    about: str = ""


class CursorMoved(Message):
    """The highlighted line of a list is another one now, or stands for something else."""


class Opened(Message):
    """Enter or a second click on the highlighted line."""


class MarksChanged(Message):
    """Lines were marked or unmarked."""


class NewSeen(Message):
    """What was new above the lines on the screen came into sight, some of it or all."""


class EndReached(Message):
    """The last line that the list knows is on the screen."""


@dataclass
class QueryChanged(Message):
    """The person typed in the search bar."""

    text: str


class Taken(Message):
    """An offer was clicked."""
