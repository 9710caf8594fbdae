"""A file with a head: a memory, or an edge that describes a relation. Values are read as text, whatever they
hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memtui.formats.claude_code import document
from memtui.formats.cognitive import relation_list
from memtui.formats.cognitive.relation_list import Entry
from memtui.formats.contract.records import clean
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import FrontMatter
from memtui.formats.syntax.markdown import with_lf
from memtui.formats.syntax.yaml_scalars import Style

PROCEDURE_KEYS = ("steps", "preconditions", "postconditions")
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?)(?:^(?:---|\.\.\.)[ \t]*\r?$|\Z)", re.DOTALL | re.MULTILINE
)
_ID = re.compile(rb"^id[ \t]*:[ \t]+(.*?)(?:[ \t]+#.*)?[ \t]*\r?$", re.MULTILINE)
_CACHED = 1 << 15  # files; working out one change reads the tree several times


@dataclass(frozen=True, slots=True)
class Note:
    """A file as it was read; its body without the blank lines around it is data[start:end]."""

    data: bytes
    head: FrontMatter | None
    start: int
    end: int
    id: str
    relations: tuple[Entry, ...]

    def text(self, key: str) -> str:
        """Return a value of the head; "" where there is none."""
        return clean(self.head.text(key)) if self.head is not None else ""

    def list_of(self, key: str) -> tuple[str, ...]:
        """Return the items of a list in the head, or the parts between the commas of a text."""
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
        return self.text("title")

    @property
    def type(self) -> str:
        return self.text("type")

    def find_relation(self, target: str, kind: str, incoming: bool) -> Entry | None:
        """Return the first entry with this relation, None if there is none."""
        return next((entry for entry in self.relations if entry.matches(target, kind, incoming)), None)


@lru_cache(_CACHED)
def read(data: bytes) -> Note:
    """Return the bytes of a file as a note. Never raises."""
    parsed = document.read(data)
    entries = tuple(relation_list.read(data, parsed.head)) if parsed.head is not None else ()
    return Note(data, parsed.head, parsed.start, parsed.end, id_of(data), entries)


@lru_cache(_CACHED)
def id_of(data: bytes) -> str:
    """Return the id in a file's head without parsing the rest; "" where it has none."""
    head = _HEAD.match(data, 0, frontmatter.LIMIT)
    match = _ID.search(head[1]) if head is not None else None
    if match is None:
        return ""
    text = clean(match[1].decode(errors="replace")).strip()
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
