"""One memory file: a head in one of two dialects, and a body."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from memtui.errors import NotSaved
from memtui.formats.contract.adapter import clean
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import Head

KEBAB = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
CODE = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_WIKI = re.compile(r"\[\[(?P<wiki>[^\s\[\]|#][^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_FILE = re.compile(r"(?<!!)\[[^\[\]\n]*\]\(<?(?P<file>[^()<>#\n]+\.md)(?:#[^()\s]*)?>?\)")
_TEXT_ENDS = b" \t\r\n"
_BLANK = re.compile(rb"(?:[ \t]*\r?\n)*")


@dataclass(frozen=True)
class Note:
    """A memory file that was read; its body without the blank lines around it is data[start:end]."""

    data: bytes
    head: Head | None
    start: int
    end: int
    nested: bool  # the head is in the dialect that keeps its type under `metadata`
    _said: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def content(self) -> str:
        """The body, its lines ended by LF."""
        return clean(plain_lines(self.data[self.start : self.end].decode(errors="replace")))

    @property
    def newline(self) -> bytes:
        return b"\r\n" if b"\r\n" in self.data else b"\n"

    def says(self, key: str) -> str:
        """A value of the head, in either dialect; empty where there is none."""
        said = self._said.get(key)
        if said is None:
            keys = (f"metadata.{key}", key) if self.nested else (key, f"metadata.{key}")
            said = self._said[key] = clean(self.head.text(*keys)) if self.head else ""
        return said

    @cached_property
    def mentions(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What its links name, code aside: memories by name, and files."""
        if "[" not in self.content:
            return (), ()
        text = CODE.sub("", self.content)
        named = tuple(match["wiki"].strip() for match in _WIKI.finditer(text))
        return named, tuple(match["file"].strip() for match in _FILE.finditer(text))

    def key_of(self, key: str) -> str:
        """Under which key the head holds it; empty if under none."""
        values = self.head.values if self.head else {}
        keys = (f"metadata.{key}", key) if self.nested else (key, f"metadata.{key}")
        return next((each for each in keys if each in values), "")

    def anchor(self, name: str) -> str:
        """What links call it: its name where that is a slug, else the file's."""
        said = self.says("name")
        return said if KEBAB.fullmatch(said) else clean(stem(name))

    @property
    def named_for_links(self) -> bool:
        """Whether its name is an identity that links use, so that a title is no reason to change it."""
        said = self.says("name")
        return bool(said) and (self.nested or ("-" in said and KEBAB.fullmatch(said) is not None))


def read(data: bytes) -> Note:
    """The file as a memory. Never raises."""
    head = frontmatter.read(data)
    body = head.body if head is not None else len(frontmatter.BOM) * data.startswith(frontmatter.BOM)
    blank = _BLANK.match(data, body)
    start = blank.end() if blank else body
    end = len(data.rstrip(_TEXT_ENDS))
    if end <= start:
        start = end = len(data) if not data[start:].strip() else start
    values = head.values if head is not None else {}
    return Note(data, head, start, end, "metadata.type" in values or "metadata.node_type" in values)


def stem(name: str) -> str:
    """The last part of a file's name, without its ending; pathlib takes ten times as long."""
    last = name.rpartition("/")[2]
    dot = last.rfind(".")
    return last[:dot] if 0 < dot < len(last) - 1 else last


def plain_lines(text: str) -> str:
    """`text` with every line ended by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bare(text: str) -> str:
    """`text` as a body keeps it: without blank lines around it."""
    return re.sub(r"\A(?:[ \t]*\n)+", "", plain_lines(text)).rstrip(" \t\n")


def new(
    title: str, category: str, description: str, session: str, content: str, nested: bool, slug: str
) -> str:
    """The text of a new memory file."""
    spell = frontmatter.spell
    lines = [f"name: {spell(slug if nested else title)}", f"description: {spell(description)}"]
    more = [f"type: {spell(category)}"]
    if session:
        more.append(f"originSessionId: {spell(session)}")
    if nested:
        lines += ["metadata:", "  node_type: memory", *(f"  {line}" for line in more)]
    else:
        lines += more
    return "\n".join(["---", *lines, "---", "", content, ""])


def patched(note: Note, key: str, text: str) -> frontmatter.Patch:
    """The patch that sets `key` in the head, added where the dialect has it if it is not there."""
    if note.head is None:
        raise NotSaved("no-field", f"the file has no head that could hold its {key}.")
    there = note.key_of(key)
    if there:
        return note.head.put(there, text)
    values = note.head.values
    if note.nested:
        return note.head.insert(f"metadata.{key}", text, "metadata.node_type")
    after = next((each for each in ("description", "name", *reversed(values)) if each in values), "")
    if not after:
        raise NotSaved("no-field", f"the file's head is empty and has no place for its {key}.")
    return note.head.insert(key, text, after.partition(".")[0])
