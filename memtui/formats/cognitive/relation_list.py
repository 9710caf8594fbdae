"""The relations in a memory's head: a list of maps, read and changed entry by entry (FORMATS 5).

An entry's lines are read as a head of their own, so that quotes and comments mean the same there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from memtui.errors import NotSaved, Refused
from memtui.formats.contract.adapter import clean
from memtui.formats.syntax import frontmatter
from memtui.formats.syntax.frontmatter import Head, Patch, Style, Value

KEY = "relations"
OUTGOING, INCOMING = "outgoing", "incoming"
_ORDER = ("target", "type", "direction", "strength", "context", "edge_id")
_QUOTED = ("context", "from_title", "to_title")
_OPEN, _CLOSE = b"---\n", b"---\n"
_LIKE = Value("", Style.DOUBLE, 0, 0, 0, 0)
# A line as the format's own client writes it, which says the same to any reader.
_SIMPLE = re.compile(rb' *(?P<key>[a-z_]+): (?:"(?P<quoted>[^"\\\r]*)"|(?P<plain>\w[\w.-]*))\r?')


@dataclass(frozen=True, slots=True)
class Entry:
    """One relation as a head tells it; it fills data[start:end], -1 where it has no lines of its own."""

    values: dict[str, Value]
    start: int = -1
    end: int = -1
    indent: int = 2
    odd: tuple[str, ...] = ()

    def says(self, key: str) -> str:
        return clean(self.values[key].text) if key in self.values else ""

    @property
    def target(self) -> str:
        return self.says("target")

    @property
    def kind(self) -> str:
        return self.says("type")

    @property
    def incoming(self) -> bool:
        return self.says("direction").casefold() == INCOMING

    @property
    def strength(self) -> float | None:
        return number(self.says("strength"))

    def is_(self, target: str, kind: str, incoming: bool) -> bool:
        """Whether it tells this relation, however its kind is spelled."""
        return (self.target, self.incoming) == (target, incoming) and plain(self.kind) == plain(kind)


@dataclass(frozen=True, slots=True)
class Told:
    """A relation to be written, from the end that tells it."""

    target: str
    kind: str
    incoming: bool
    strength: float | None = None
    context: str = ""
    edge_id: str = ""
    more: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Its keys in the order of the format."""
        spell = frontmatter.spell
        out = [f"target: {spell(self.target)}", f"type: {spell(self.kind)}"]
        out.append(f"direction: {INCOMING if self.incoming else OUTGOING}")
        if self.strength is not None:
            out.append(f"strength: {spelled(self.strength)}")
        if self.context:
            out.append(f"context: {spell(self.context, _LIKE)}")
        if self.edge_id:
            out.append(f"edge_id: {spell(self.edge_id)}")
        return out


def read(data: bytes, head: Head) -> list[Entry]:
    """The entries of a head's list. Never raises."""
    value = head.values.get(KEY)
    if value is None or value.style is not Style.LIST:
        return []
    if data[value.start : value.start + 1] == b"[":
        return [_flow(item) for item in value.items]
    starts: list[int] = []
    level = -1
    at = value.start - (value.start - data.rfind(b"\n", 0, value.start) - 1)
    while at < value.next:
        line = data[at : _line_end(data, at)]
        indent = len(line) - len(line.lstrip(b" "))
        if line.split(maxsplit=1)[:1] == [b"-"] and level in (-1, indent):
            level = indent
            starts.append(at)
        at = _line_end(data, at)
    ends = [*starts[1:], value.next]
    return [_entry(data, start, end, level) for start, end in zip(starts, ends, strict=True)]


def add(data: bytes, head: Head, told: Sequence[Told]) -> list[Patch]:
    """The patches that add entries behind those that are there, in their manner; the first of two makes
    the list where there is none. Raises Refused where it cannot be done safely."""
    writable(head)
    value = head.values.get(KEY)
    entries = read(data, head)
    newline = head.newline
    if value is None:
        at = head.end
        first = [(at, at, KEY.encode() + b":" + newline)]
        at += len(first[0][2])
    elif entries and entries[0].start >= 0:
        first, at = [], entries[-1].end
    elif entries or value.style not in (Style.EMPTY, Style.LIST):
        raise _in_one_line()
    elif value.style is Style.EMPTY:
        first, at = [], value.next
    else:  # relations: []
        colon = data.index(b":", value.line) + 1
        first = [(colon, value.next, newline)]
        at = colon + len(newline)
    indent = " " * (entries[0].indent if entries else 2)
    text = ""
    for each in told:
        lines = each.lines()
        text += "".join(f"{indent}{'  ' if i else '- '}{line}\n" for i, line in enumerate(lines))
    return [*first, (at, at, text.encode().replace(b"\n", newline))]


def cut(data: bytes, head: Head, entries: Sequence[Entry]) -> list[Patch]:
    """The patches that take these entries out, last first, and the list with its last one."""
    writable(head)
    if any(entry.start < 0 for entry in entries):
        raise _in_one_line()
    patches: list[Patch] = [(entry.start, entry.end, b"") for entry in reversed(entries)]
    if entries and len(entries) == len(read(data, head)):
        value = head.values[KEY]
        patches.append((value.line, _line_end(data, value.line), b""))
    return patches


def changed(data: bytes, head: Head, entry: Entry, said: Mapping[str, str]) -> list[Patch]:
    """The patches, last first, by which an entry says other values, in the manner of those that stand
    there; an empty one goes with its line. Raises Refused where it cannot be done safely."""
    writable(head)
    if entry.start < 0:
        raise _in_one_line()
    lines = bytearray(data[entry.start : entry.end])
    lines[entry.indent] = ord(" ")
    opening = b"---" + head.newline
    own = frontmatter.read(opening + bytes(lines) + _CLOSE)
    if own is None or own.odd:
        raise NotSaved("head", "the relation in the file's head is written in an odd way.")
    shift = entry.start - len(opening)
    patches = altered(own, said, _ORDER, head.newline, len(opening))
    return [(start + shift, end + shift, new) for start, end, new in patches]


def altered(
    head: Head, said: Mapping[str, str], order: Sequence[str], newline: bytes, first: int = -1
) -> list[Patch]:
    """The patches, last first, by which a head says other values. A new one comes behind the nearest of
    those before it in `order`; an empty one goes with its line, unless that is the one at `first`, which
    a list's dash begins. Raises Refused."""
    writable(head)
    out: list[Patch] = []
    for at, key in enumerate(order):
        text, value = said.get(key), head.values.get(key)
        if text is None:
            continue
        if value is None:
            near = next((head.values[each] for each in reversed(order[:at]) if each in head.values), None)
            place, indent = (head.start, 0) if near is None else (near.next, near.indent)
            line = f"{' ' * indent}{key}: {_fresh(key, text)}".encode() + newline
            out += [(place, place, line)] if text else []
        elif not text and value.line != first:
            out.append((value.line, value.next, b""))
        else:
            start, end, new = head.put(key, text)
            if value.style is Style.EMPTY:
                new = b" " + _fresh(key, text).encode()
            elif value.style is Style.PLAIN and key == "strength" and text:
                new = text.encode()
            out.append((start, end, new))
    return sorted(out, key=lambda patch: patch[0])[::-1]


def writable(head: Head) -> None:
    """Raise Refused where a head must stay as it is."""
    if head.odd:
        raise NotSaved("head", f"{head.odd[0][1]}, so it is left as it is.")


def number(text: str) -> float | None:
    """What a text says as a number; None if it is none."""
    try:
        said = float(text)
    except ValueError:
        return None
    return said if -1e15 < said < 1e15 else None


def spelled(value: float) -> str:
    """A number as heads spell it."""
    return repr(round(float(value), 4))


@lru_cache(256)
def plain(kind: str) -> str:
    """A relation's kind, however it is spelled."""
    return re.sub(r"[\s-]+", "_", kind.strip()).upper()


def _fresh(key: str, text: str) -> str:
    """A value as a new line spells it."""
    if key in ("strength", "direction"):
        return text
    return frontmatter.spell(text, _LIKE if key in _QUOTED else None)


def _in_one_line() -> Refused:
    return NotSaved("head", "the relations in the file's head are written in one line.")


def _entry(data: bytes, start: int, end: int, indent: int) -> Entry:
    lines = bytearray(data[start:end])
    lines[indent] = ord(" ")
    if (simple := _simple(bytes(lines))) is not None:
        return Entry(simple, start, end, indent)
    head = frontmatter.read(_OPEN + bytes(lines) + (b"" if lines.endswith(b"\n") else b"\n") + _CLOSE)
    if head is None:
        return Entry({}, start, end, indent, ("an entry cannot be read",))
    return Entry(head.values, start, end, indent, tuple(words for _, words in head.odd))


def _simple(lines: bytes) -> dict[str, Value] | None:
    """The values of an entry that is written as simply as most are; None for any other."""
    out: dict[str, Value] = {}
    indents = set()
    for line in lines.removesuffix(b"\n").split(b"\n"):
        match = _SIMPLE.fullmatch(line)
        if match is None:
            return None
        key = match["key"].decode()
        if key in out:
            return None
        indents.add(match.start("key"))
        plain, quoted = match["plain"], match["quoted"]
        style = Style.PLAIN if quoted is None else Style.DOUBLE
        out[key] = Value((plain or quoted or b"").decode(errors="replace"), style, 0, 0, 0, 0)
    return out if len(indents) == 1 else None


def _flow(item: str) -> Entry:
    head = frontmatter.read(f"---\nx: {item}\n---\n".encode())
    values = head.values if head is not None else {}
    return Entry({key[2:]: value for key, value in values.items() if key.startswith("x.")})


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1
