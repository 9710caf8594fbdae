"""The contract of exporters: a declaration, and a pure function from memories to text (S-70)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memtui.memory.selection.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory to export; `contradicts` are the uids of memories in the same export that contradict it."""

    candidate: Candidate
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of an export; `dropped` are the uids that the exporter's limits leave out, with the
    name of the limit."""

    text: str
    dropped: Mapping[str, str] = field(default_factory=dict)


def takes_all(candidate: Candidate) -> str:
    """Return "": no memory is refused."""
    return ""


@dataclass(frozen=True, slots=True)
class Exporter:
    """One way to write memories as text.

    `render` gets the entries in the order of the export and is pure: the same entries give the same text, so
    it knows no clock. `limits` says what the format allows, for people. `refuse` says why a memory can never
    be in such an export, "" if it can. `is_data` is set where programs read the export: without a budget it
    has all memories, in the order of the query, and its tokens are not counted.
    """

    name: str  # of --as
    title: str
    media_type: str
    suffix: str  # of a file
    render: Callable[[Sequence[Entry]], Rendered]
    limits: str = ""
    refuse: Callable[[Candidate], str] = takes_all
    is_data: bool = False
