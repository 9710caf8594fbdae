"""One file with a head: a memory, or an edge that describes a relation. Read tolerantly, never typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memtui.formats.syntax.markdown import with_lf
from memtui.formats.claude_code import document
from memtui.formats.cognitive import relation_list
from memtui.formats.cognitive.relation_list import Entry
from memtui.formats.contract.adapter import clean
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import Head, Style

_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)(?:^(?:---|\.\.\.)[ \t]*\r?$|\Z)", re.DOTALL | re.MULTILINE
)
_ID = re.compile(rb"^id[ \t]*:[ \t]+(.*?)(?:[ \t]+#.*)?[ \t]*\r?$", re.MULTILINE)
_KEPT = 1 << 15  # files that stay read; a tree is read again and again while a change is worked out


@dataclass(frozen=True, slots=True)
class Note:
    """A file that was read; its body without the blank lines around it is data[start:end]."""

    data: bytes
    head: Head | None
    start: int
    end: int
    id: str
    relations: tuple[Entry, ...]

    def says(self, key: str) -> str:
        """A value of the head; empty where there is none."""
        return clean(self.head.text(key)) if self.head is not None else ""

    def list_of(self, key: str) -> tuple[str, ...]:
        """The items of a list; of a text its parts between commas."""
        value = self.head.values.get(key) if self.head is not None else None
        if value is None:
            return ()
        items = value.items if value.style is Style.LIST else value.text.split(",")
        return tuple(item for item in (clean(each).strip() for each in items) if item)

    @property
    def content(self) -> str:
        """The body, its lines ended by LF."""
        return clean(with_lf(self.data[self.start : self.end].decode(errors="replace")))

    @property
    def title(self) -> str:
        return self.says("title")

    @property
    def type(self) -> str:
        return self.says("type")

    def tells(self, target: str, kind: str, incoming: bool) -> Entry | None:
        """The entry by which it tells a relation, if it does."""
        return next((entry for entry in self.relations if entry.is_(target, kind, incoming)), None)


@lru_cache(_KEPT)
def read(data: bytes) -> Note:
    """The file as a note. Never raises."""
    found = document.read(data)
    entries = tuple(relation_list.read(data, found.head)) if found.head is not None else ()
    return Note(data, found.head, found.start, found.end, id_of(data), entries)


@lru_cache(_KEPT)
def id_of(data: bytes) -> str:
    """The id in a file's head, without the rest being read; empty where it has none."""
    head = _HEAD.match(data, 0, frontmatter.LIMIT)
    said = _ID.search(head[1]) if head is not None else None
    if said is None:
        return ""
    text = clean(said[1].decode(errors="replace")).strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
