"""Journal entries, and what agents did since the user last looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memtui.memory.memory import LIVE
from memtui.values import Fields

UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the journal, or of a memory's history, ready to show.

    `state` is done, intended, refused, failed or undone; `reason` gives the reason of the last three. `label`
    represents the memory if the entry is about one alone. `before` and `after` are the fields it changed
    in that memory, None where they were purged or not asked for. `change` is the summary of the entry that
    this one undid or redid. `entity` is the subject that all memories of the entry share, "" if they do not.
    `tool` and `session` are those of an agent's call, "" where they are not known.
    """

    id: int
    at: float
    actor: str
    kind: str
    summary: str
    state: str = "done"
    reason: str = ""
    undoes: int | None = None
    count: int = 1
    store: str = ""
    undoable: bool = False
    label: str = ""
    before: Fields | None = None
    after: Fields | None = None
    change: str = ""
    entity: str = ""
    tool: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class EventItem:
    """What a journal entry did to one memory: fields before and after, values as in records.

    `names` are the labels of memories that these values refer to, as `change_words` expects them.
    """

    uid: str
    label: str
    store: str
    state: str
    reason: str
    before: Fields | None
    after: Fields | None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AgentChange:
    """What agents did to one memory since the user last looked (S-53).

    `kind` is added, changed, removed, or unreadable where the journal's texts are gone; `before` and
    `after` are fields as in records, over everything that happened in between. `actor`, `tool` and `session`
    are those of the last step: "agent:scout" for a call, "sync:STORE" for what was found in a store.
    """

    memory_id: int
    uid: str
    store: str
    label: str
    kind: str
    at: float
    entry_id: int
    before: Fields
    after: Fields
    content: str = ""  # the current text, or the last one if it was removed
    overwritten: bool = False  # entry `entry_id` overwrote a change that was made in memtui
    names: Mapping[str, str] = field(default_factory=dict)  # labels of memories that the values refer to
    actor: str = ""
    tool: str = ""
    session: str = ""

    @property
    def effective_kind(self) -> str:
        """`kind`, or "restored" for a memory that was out of use and is live again."""
        was, now = self.before.get("status", LIVE[0]), self.after.get("status")
        return "restored" if self.kind == "changed" and was not in LIVE and now in LIVE else self.kind


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """What agents did since the user last looked.

    It is complete up to the journal entry `last_entry_id`; `more` says whether there is something after it.
    """

    items: list[AgentChange]
    last_entry_id: int
    more: bool = False


CAME, CHANGED = "new", "changed"


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What agents brought: by row id CAME or CHANGED, without what left again; `upto` is the newest journal
    entry by then."""

    kinds: dict[int, str] = field(default_factory=dict)
    upto: int = 0
