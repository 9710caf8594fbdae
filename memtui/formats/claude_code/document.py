"""A memory file: a head in one of two dialects, and a body."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from memtui.formats.claude_code import wording
from memtui.formats.contract.records import clean
from memtui.formats.syntax import frontmatter, yaml_scalars
from memtui.formats.syntax.frontmatter import FrontMatter
from memtui.formats.syntax.markdown import with_lf

KEBAB = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
CODE = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_WIKI_LINK = re.compile(r"\[\[(?P<name>[^\s\[\]|#][^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_FILE_LINK = re.compile(r"(?<!!)\[[^\[\]\n]*\]\(<?(?P<file>[^()<>#\n]+\.md)(?:#[^()\s]*)?>?\)")
_WHITESPACE = b" \t\r\n"
_BLANK_LINES = re.compile(rb"(?:[ \t]*\r?\n)*")


@dataclass(frozen=True)
class Note:
    """A memory file as it was read; its body without the blank lines around it is data[start:end]."""

    data: bytes
    head: FrontMatter | None
    start: int
    end: int
    nested: bool  # the head is in the dialect that keeps its type under `metadata`
    _texts: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def content(self) -> str:
        """The body, its lines ended by LF."""
        return clean(with_lf(self.data[self.start : self.end].decode(errors="replace")))

    @property
    def newline(self) -> bytes:
        return b"\r\n" if b"\r\n" in self.data else b"\n"

    def text(self, key: str) -> str:
        """Return a value of the head, in either dialect; "" where there is none."""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = clean(self.head.text(*self._keys(key))) if self.head else ""
        return text

    @cached_property
    def mentions(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What its links outside of code mention: names of memories, and files."""
        if "[" not in self.content:
            return (), ()
        text = CODE.sub("", self.content)
        names = tuple(match["name"].strip() for match in _WIKI_LINK.finditer(text))
        return names, tuple(match["file"].strip() for match in _FILE_LINK.finditer(text))

    def key_of(self, key: str) -> str:
        """Return the key under which the head holds `key` in its dialect; "" if it does not."""
        values = self.head.values if self.head else {}
        return next((each for each in self._keys(key) if each in values), "")

    def _keys(self, key: str) -> tuple[str, str]:
        return (f"metadata.{key}", key) if self.nested else (key, f"metadata.{key}")

    def anchor(self, file: str) -> str:
        """Return the name by which links mean it: its own where that is a slug, else that of its `file`."""
        name = self.text("name")
        return name if KEBAB.fullmatch(name) else clean(stem(file))

    @property
    def has_link_name(self) -> bool:
        """Whether links go by its name, which another title therefore must not change."""
        name = self.text("name")
        return bool(name) and (self.nested or ("-" in name and KEBAB.fullmatch(name) is not None))


def read(data: bytes) -> Note:
    """Return the bytes of a file as a note. Never raises."""
    head = frontmatter.read(data)
    body = head.body if head is not None else len(frontmatter.BOM) * data.startswith(frontmatter.BOM)
    blank = _BLANK_LINES.match(data, body)
    start = blank.end() if blank else body
    end = len(data.rstrip(_WHITESPACE))
    if end <= start:
        start = end = len(data) if not data[start:].strip() else start
    values = head.values if head is not None else {}
    return Note(data, head, start, end, "metadata.type" in values or "metadata.node_type" in values)


def stem(file: str) -> str:
    """Return the last part of a file's name without its suffix; pathlib takes ten times as long."""
    last = file.rpartition("/")[2]
    dot = last.rfind(".")
    return last[:dot] if 0 < dot < len(last) - 1 else last


def new_text(
    title: str, category: str, description: str, session: str, content: str, nested: bool, slug: str
) -> str:
    """Return the text of a new memory file, in the nested dialect or the flat one."""
    spell = yaml_scalars.format_scalar
    lines = [f"name: {spell(slug if nested else title)}", f"description: {spell(description)}"]
    more = [f"type: {spell(category)}"]
    if session:
        more.append(f"originSessionId: {spell(session)}")
    if nested:
        lines += ["metadata:", "  node_type: memory", *(f"  {line}" for line in more)]
    else:
        lines += more
    return "\n".join(["---", *lines, "---", "", content, ""])


def set_key(note: Note, key: str, text: str) -> frontmatter.Patch:
    """Return the patch that sets `key` in the head; a missing one is added where its dialect has it.

    Raise Refused if the head has no place for it or cannot be written."""
    if note.head is None:
        raise wording.no_head_for(key)
    existing = note.key_of(key)
    if existing:
        return note.head.put(existing, text)
    values = note.head.values
    if note.nested:
        return note.head.insert(f"metadata.{key}", text, "metadata.node_type")
    after = next((each for each in ("description", "name", *reversed(values)) if each in values), "")
    if not after:
        raise wording.no_place_for(key)
    return note.head.insert(key, text, after.partition(".")[0])
