"""The relations in a memory's head: a list of maps, read and changed entry by entry (FORMATS 5).

The lines of an entry are parsed as a head of their own, so that quotes and comments mean the same there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memtui.formats.cognitive import wording
from memtui.formats.contract.records import clean
from memtui.formats.syntax import frontmatter, yaml_scalars
from memtui.formats.syntax.frontmatter import FrontMatter, Patch
from memtui.formats.syntax.yaml_scalars import Style, Value

KEY = "relations"
OUTGOING, INCOMING = "outgoing", "incoming"
_ORDER = ("target", "type", "direction", "strength", "context", "edge_id")
_QUOTED_KEYS = ("context", "from_title", "to_title")
_OPEN, _CLOSE = b"---\n", b"---\n"
_DOUBLE_QUOTED = Value("", Style.DOUBLE, 0, 0, 0, 0)
# A line as the format's own client writes it, which every YAML reader reads alike.
_SIMPLE = re.compile(rb' *(?P<key>[a-z_]+): (?:"(?P<quoted>[^"\\\r]*)"|(?P<plain>\w[\w.-]*))\r?')


@dataclass(frozen=True, slots=True)
class Entry:
    """A relation in a head; its lines are data[start:end], -1 where it has none of its own."""

    values: dict[str, Value]
    start: int = -1
    end: int = -1
    indent: int = 2
    is_malformed: bool = False

    def text(self, key: str) -> str:
        """Return a value; "" where there is none."""
        return clean(self.values[key].text) if key in self.values else ""

    @property
    def target(self) -> str:
        return self.text("target")

    @property
    def kind(self) -> str:
        return self.text("type")

    @property
    def incoming(self) -> bool:
        return self.text("direction").casefold() == INCOMING

    @property
    def strength(self) -> float | None:
        return parse_number(self.text("strength"))

    def matches(self, target: str, kind: str, incoming: bool) -> bool:
        """Return whether it is this relation, however its kind is spelled."""
        same_end = (self.target, self.incoming) == (target, incoming)
        return same_end and normalize_kind(self.kind) == normalize_kind(kind)


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A relation to be written into the head of one of its ends."""

    target: str
    kind: str
    incoming: bool
    strength: float | None = None
    context: str = ""
    edge_id: str = ""

    def lines(self) -> list[str]:
        """Return its keys in the order of the format."""
        spell = yaml_scalars.format_scalar
        out = [f"target: {spell(self.target)}", f"type: {spell(self.kind)}"]
        out.append(f"direction: {INCOMING if self.incoming else OUTGOING}")
        if self.strength is not None:
            out.append(f"strength: {spell_number(self.strength)}")
        if self.context:
            out.append(f"context: {spell(self.context, _DOUBLE_QUOTED)}")
        if self.edge_id:
            out.append(f"edge_id: {spell(self.edge_id)}")
        return out


def read(data: bytes, head: FrontMatter) -> list[Entry]:
    """Return the entries of a head's list. Never raises."""
    value = head.values.get(KEY)
    if value is None or value.style is not Style.LIST:
        return []
    if data[value.start : value.start + 1] == b"[":
        return [_flow_entry(item) for item in value.items]
    starts: list[int] = []
    level = -1
    at = data.rfind(b"\n", 0, value.start) + 1
    while at < value.line_end:
        line = data[at : _line_end(data, at)]
        indent = len(line) - len(line.lstrip(b" "))
        if line.split(maxsplit=1)[:1] == [b"-"] and level in (-1, indent):
            level = indent
            starts.append(at)
        at = _line_end(data, at)
    ends = [*starts[1:], value.line_end]
    return [_entry(data, start, end, level) for start, end in zip(starts, ends, strict=True)]


def add_entry(data: bytes, head: FrontMatter, entry: NewEntry) -> list[Patch]:
    """Return the patches that add an entry after the existing ones, with their indent, and the list before it
    where there is none. Raise Refused if the list is on one line or the head malformed."""
    ensure_writable(head)
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
        raise wording.relations_on_one_line()
    elif value.style is Style.EMPTY:
        first, at = [], value.line_end
    else:  # relations: []
        colon = data.index(b":", value.line_start) + 1
        first = [(colon, value.line_end, newline)]
        at = colon + len(newline)
    indent = " " * (entries[0].indent if entries else 2)
    lines = (f"{indent}{'  ' if i else '- '}{line}\n" for i, line in enumerate(entry.lines()))
    return [*first, (at, at, "".join(lines).encode().replace(b"\n", newline))]


def remove_entries(data: bytes, head: FrontMatter, entries: Sequence[Entry]) -> list[Patch]:
    """Return the patches, last first, that remove these entries, and the list with its last one.

    Raise Refused if the list is on one line or the head malformed."""
    ensure_writable(head)
    if any(entry.start < 0 for entry in entries):
        raise wording.relations_on_one_line()
    patches: list[Patch] = [(entry.start, entry.end, b"") for entry in reversed(entries)]
    if entries and len(entries) == len(read(data, head)):
        value = head.values[KEY]
        patches.append((value.line_start, _line_end(data, value.line_start), b""))
    return patches


def update_entry(data: bytes, head: FrontMatter, entry: Entry, values: Mapping[str, str]) -> list[Patch]:
    """Return the patches, last first, that set these values of an entry in the quotes that they have; an
    empty one is removed with its line. Raise Refused if that cannot be done safely."""
    ensure_writable(head)
    if entry.start < 0:
        raise wording.relations_on_one_line()
    lines = bytearray(data[entry.start : entry.end])
    lines[entry.indent] = ord(" ")
    opening = b"---" + head.newline
    own = frontmatter.read(opening + bytes(lines) + _CLOSE)
    if own is None or own.problems:
        raise wording.relation_malformed()
    shift = entry.start - len(opening)
    patches = update_head(own, values, _ORDER, head.newline, len(opening))
    return [(start + shift, end + shift, new) for start, end, new in patches]


def update_head(
    head: FrontMatter, values: Mapping[str, str], order: Sequence[str], newline: bytes, first: int = -1
) -> list[Patch]:
    """Return the patches, last first, that set these values of a head.

    A missing key is added after the nearest one before it in `order`. An empty value is removed with its
    line, unless that is the one at `first`, which holds the dash of a list. Raise Refused if the head is
    malformed."""
    ensure_writable(head)
    out: list[Patch] = []
    for at, key in enumerate(order):
        text, value = values.get(key), head.values.get(key)
        if text is None:
            continue
        if value is None:
            near = next((head.values[each] for each in reversed(order[:at]) if each in head.values), None)
            place, indent = (head.start, 0) if near is None else (near.line_end, near.indent)
            line = f"{' ' * indent}{key}: {_spell_value(key, text)}".encode() + newline
            out += [(place, place, line)] if text else []
        elif not text and value.line_start != first:
            out.append((value.line_start, value.line_end, b""))
        else:
            start, end, new = head.put(key, text)
            if value.style is Style.EMPTY:
                new = b" " + _spell_value(key, text).encode()
            elif value.style is Style.PLAIN and key == "strength" and text:
                new = text.encode()
            out.append((start, end, new))
    return sorted(out, key=lambda patch: patch[0])[::-1]


def ensure_writable(head: FrontMatter) -> None:
    """Raise Refused if a head is malformed, since such a one is never written."""
    if head.problems:
        raise wording.head_unusable(head.problems[0][1])


def parse_number(text: str) -> float | None:
    """Return a text as a number; None if it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if -1e15 < number < 1e15 else None


def spell_number(value: float) -> str:
    """Return a number as heads spell it."""
    return repr(round(float(value), 4))


@lru_cache(256)
def normalize_kind(kind: str) -> str:
    """Return a relation's kind in upper case with underscores."""
    return re.sub(r"[\s-]+", "_", kind.strip()).upper()


def _spell_value(key: str, text: str) -> str:
    """Return the value of a new line."""
    if key in ("strength", "direction"):
        return text
    return yaml_scalars.format_scalar(text, _DOUBLE_QUOTED if key in _QUOTED_KEYS else None)


def _entry(data: bytes, start: int, end: int, indent: int) -> Entry:
    lines = bytearray(data[start:end])
    lines[indent] = ord(" ")
    if (simple := _simple_values(bytes(lines))) is not None:
        return Entry(simple, start, end, indent)
    head = frontmatter.read(_OPEN + bytes(lines) + (b"" if lines.endswith(b"\n") else b"\n") + _CLOSE)
    if head is None:
        return Entry({}, start, end, indent, is_malformed=True)
    return Entry(head.values, start, end, indent, is_malformed=bool(head.problems))


def _simple_values(lines: bytes) -> dict[str, Value] | None:
    """Return the values of an entry in the form of most; None if it has another form."""
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


def _flow_entry(item: str) -> Entry:
    head = frontmatter.read(f"---\nx: {item}\n---\n".encode())
    values = head.values if head is not None else {}
    return Entry({key[2:]: value for key, value in values.items() if key.startswith("x.")})


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1
