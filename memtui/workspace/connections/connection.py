"""A connection: what memtui has, or is to have, in the settings file of an agent's program (S-87)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from memtui.formats.insertions.editing import Entries
from memtui.formats.insertions.insertion import Insertion, Written
from memtui.values import Fields


class ConnectionState(Enum):
    """How the entries stand in the file now."""

    CONNECTED = "connected"
    CHANGED = "changed"  # since memtui wrote them
    GONE = "gone"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Connection:
    """The entries of memtui in a file: the client whose file it is ("": not known), the agent that it speaks
    for, when it was written (Unix seconds), and what is known of the file as it was written, None if it is
    not yet."""

    file: str
    client: str
    agent: str
    entries: Entries
    at: float = 0.0
    written: Written | None = None

    @property
    def fields(self) -> Fields:
        """What is journaled of it."""
        insertions = [
            [list(each.path), each.value, *([True] if each.in_list else [])]
            for each in self.entries.insertions
        ]
        return {
            "client": self.client,
            "agent": self.agent,
            "syntax": self.entries.syntax,
            "insertions": insertions,
        }


def from_fields(file: str, fields: Fields) -> Connection:
    """Return a connection as it was journaled."""
    insertions = tuple(Insertion(tuple(path), *rest) for path, *rest in fields["insertions"])
    return Connection(file, fields["client"], fields["agent"], Entries(fields["syntax"], insertions))
