"""YAML heads of Markdown files, read line by line, so that one value can change and every other
byte stays (LIMITS 3).

No value is typed: `no`, `00123` and `1:30` stay the text that they are. Nothing is ever dumped:
a change is a patch of bytes. What a YAML reader would stumble over is noted and never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from memtui.errors import NotSaved

BOM = b"\xef\xbb\xbf"
LIMIT = 64 * 1024  # bytes of a head; a longer one is neither read nor written

Patch = tuple[int, int, bytes]  # data[start:end] becomes these bytes


class Style(StrEnum):
    """How a value is written."""

    EMPTY = "empty"
    PLAIN = "plain"
    SINGLE = "single"  # 'it''s'
    DOUBLE = "double"  # "a\tb"
    BLOCK = "block"  # | and >
    LIST = "list"  # lines of "- item", or [a, b]
    MAP = "map"  # lines of "key: value", or {a: b}
    ODD = "odd"  # an alias, a tag, a quote that does not end, a value inside braces


@dataclass(frozen=True, slots=True)
class Value:
    """The value under one key: its text, and the bytes data[start:end] that spell it.

    `text` is decoded where it is a scalar, else as it stands; `items` are the scalars of a list.
    The entry fills the lines data[line:next] and is indented by `indent` blanks."""

    text: str
    style: Style
    start: int
    end: int
    line: int
    next: int
    indent: int = 0
    items: tuple[str, ...] = ()


@dataclass(slots=True)
class Head:
    """A head: values by key, those one level down as "metadata.type".

    Its lines are data[start:end], the text after it begins at `body`. `odd` says (code, words)
    what is wrong with it; a head with anything wrong is never written."""

    start: int
    newline: bytes = b"\n"
    end: int = 0
    body: int = 0
    values: dict[str, Value] = field(default_factory=dict)
    odd: list[tuple[str, str]] = field(default_factory=list)

    def text(self, *keys: str) -> str:
        """The first text that stands under one of these keys; empty if none does."""
        for key in keys:
            value = self.values.get(key)
            if value is not None and value.text:
                return value.text
        return ""

    def put(self, key: str, text: str) -> Patch:
        """Set a value that is there, quoted as it was where that will do. Raises Refused where
        it cannot be done safely."""
        self._writable()
        value = self.values[key]
        if value.style in (Style.LIST, Style.MAP, Style.ODD):
            raise NotSaved("head", f"{key} is no simple text in the file's head.")
        gap = b" " if value.style is Style.EMPTY else b""
        return value.start, value.end, gap + spell(text, value).encode()

    def insert(self, key: str, text: str, after: str) -> Patch:
        """Add a line under the entry `after`, or inside it where `key` is one level below it."""
        self._writable()
        value = self.values[after]
        indent = value.indent + (2 if key.startswith(f"{after}.") else 0)
        name = key.rpartition(".")[2]
        new = f"{' ' * indent}{name}: {spell(text)}".encode() + self.newline
        return value.next, value.next, new

    def _writable(self) -> None:
        if self.odd:
            raise NotSaved("head", f"{self.odd[0][1]}, so it is left as it is.")


def read(data: bytes) -> Head | None:
    """The head that `data` begins with, None where it begins with none. Never raises."""
    lines = _lines(data, len(BOM) if data.startswith(BOM) else 0)
    first = next(lines, None)
    if first is None or first.raw.rstrip() != b"---":
        return None
    head = Head(first.next, b"\r\n" if data[first.stop : first.next] == b"\r\n" else b"\n")
    inner: list[_Line] = []
    for line in lines:
        if line.raw.rstrip() in (b"---", b"..."):
            head.end, head.body = line.start, line.next
            break
        inner.append(line)
    else:
        head.end = head.body = first.start
        head.odd.append(("unclosed-head", "the head has no end"))
        return head
    if head.end - head.start > LIMIT:
        head.odd.append(("big-head", "the head is longer than 64 KiB"))
        return head
    if any(line.raw[line.indent : line.indent + 1] == b"\t" for line in inner if not line.idle):
        head.odd.append(("tabs", "the head is indented with tabs"))
    _entries(data, inner, "", head)
    return head


# -- spelling


# What no scalar in one line holds as it is: control characters, line breaks of all kinds, BOM.
_SPECIAL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# What would be read as a number, a time, a truth value or nothing if it stood there unquoted.
_TYPED = re.compile(
    r"true|false|yes|no|on|off|y|n|null|~|[-+]?\d[\d_.,:]*(e[-+]?\d+)?|[-+]?\.(\d+|inf)|\.nan|0[xob][\da-f_]+"
    r"|\d{4}-\d\d?-\d\d?([t ].*)?",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"""(?!\.\.\.)[^\s\-?:,\[\]{}#&*!|>'"%@`](?:(?!:\s|:\Z|\s\#).)*(?<!\s)""")


def spell(text: str, like: Value | None = None) -> str:
    """`text` as a YAML scalar in one line, in the style of `like` where that can hold it."""
    style = like.style if like is not None else Style.PLAIN
    simple = not _SPECIAL.search(text)
    if style is Style.SINGLE and simple:
        return "'" + text.replace("'", "''") + "'"
    if style is not Style.DOUBLE and simple and _PLAIN.fullmatch(text):
        typed_before = like is not None and style is Style.PLAIN and _TYPED.fullmatch(like.text)
        if typed_before or not _TYPED.fullmatch(text):
            return text
    return '"' + _SPECIAL.sub(_escaped, text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return short.get(char) or (f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}")


# -- reading lines


class _Line(NamedTuple):
    start: int
    stop: int  # without the line end
    next: int
    raw: bytes
    indent: int
    idle: bool  # blank or a comment

    @property
    def item(self) -> bool:
        """An item of a list."""
        return self.raw.split(maxsplit=1)[:1] == [b"-"]


def _lines(data: bytes, start: int) -> Iterator[_Line]:
    while start < len(data):
        end = data.find(b"\n", start)
        after = len(data) if end < 0 else end + 1
        stop = after if end < 0 else end
        if stop > start and data[stop - 1 : stop] == b"\r":
            stop -= 1
        raw = data[start:stop]
        indent, idle = len(raw) - len(raw.lstrip(b" ")), raw.lstrip()[:1] in (b"", b"#")
        yield _Line(start, stop, after, raw, indent, idle)
        start = after


_KEY = re.compile(
    rb""" *(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?![-?](?:\s|$))[^\s#"'\[\]{},&*!|>%@`].*?)"""
    rb"""\s*:(?=\s|$)[ \t]*"""
)
_SIMPLE = re.compile(rb""" *(?P<key>[A-Za-z_][\w-]*): (?P<value>[^\s"'#|>\[{&*!%@`][^#\r]*)""")  # as most are


def _entries(data: bytes, lines: list[_Line], prefix: str, head: Head) -> None:
    """Put the entries of one level into `head`."""
    level = next((line.indent for line in lines if not line.idle), 0)
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.idle:
            continue
        if line.indent == level and _simple(line, lines[at : at + 1], prefix, head):
            continue
        match = _KEY.match(line.raw)
        if match is None or line.indent != level:
            code, words = (
                ("list-head", "the head is a list")
                if line.item
                else ("odd-head", "a line of the head is no key")
            )
            head.odd.append((code, words))
            return
        rest = line.raw[match.end() :]
        last = at
        for index in range(at, len(lines)):
            more = lines[index]
            listed = more.item and more.indent == level and not rest.strip()
            if not more.idle and more.indent <= level and not listed:
                break
            last = last if more.idle else index + 1
        key = prefix + _scalar(match["key"].decode(errors="replace"))
        if key in head.values:
            head.odd.append(("double-key", f"{key} stands twice in the head"))
        entry = _Entry(data, key, line, line.start + match.end(), lines[at:last], head)
        head.values[key] = entry.value()
        at = last


def _simple(line: _Line, below: list[_Line], prefix: str, head: Head) -> bool:
    """Take an entry whose plain text ends in its own line, as most do; False where it may be another one."""
    match = _SIMPLE.fullmatch(line.raw)
    if match is None or any(more.idle or more.indent > line.indent for more in below):
        return False
    key, text = prefix + match["key"].decode(), match["value"].decode(errors="replace").strip()
    if not text or key in head.values:
        return False
    start = line.start + match.start("value")
    end = start + len(text.encode())
    head.values[key] = Value(text, Style.PLAIN, start, end, line.start, line.next, line.indent)
    return True


@dataclass(frozen=True, slots=True)
class _Entry:
    """One key's value while it is read: from `start` in its own line and on in the lines `more`."""

    data: bytes
    key: str
    line: _Line
    start: int
    more: list[_Line]
    head: Head

    def value(self) -> Value:
        first = self.data[self.start : self.line.stop].decode(errors="replace")
        whole = self._text(self.start)
        mark = first[:1]
        if not first.strip() or mark == "#":
            return self._below() if self.more else self._empty()
        if mark in "|>" and re.fullmatch(r"[|>][-+\d]{0,2}\s*(?:\s#.*)?", first):
            return self._made(_block(first, self.more), Style.BLOCK)
        if mark in "\"'":
            return self._quoted(whole, Style.DOUBLE if mark == '"' else Style.SINGLE)
        if mark in "[{":
            return self._flow(_uncommented(whole))
        if mark in "&*":
            self.head.odd.append(("alias", f"{self.key} has an anchor or an alias in the head"))
        if mark in "&*!%@`":
            return self._made(whole.strip(), Style.ODD)
        if self.more:
            return self._made(_folded(whole), Style.PLAIN)
        text = _uncommented(first)
        return self._made(text, Style.PLAIN, self.start, self.start + len(text.encode()))

    def _text(self, start: int) -> str:
        stop = self.more[-1].stop if self.more else self.line.stop
        return self.data[start:stop].decode(errors="replace").replace("\r\n", "\n")

    def _made(
        self, text: str, style: Style, start: int = -1, end: int = -1, items: tuple[str, ...] = ()
    ) -> Value:
        last = self.more[-1] if self.more else self.line
        start, end = (self.start if start < 0 else start), (last.stop if end < 0 else end)
        return Value(text, style, start, end, self.line.start, last.next, self.line.indent, items)

    def _empty(self) -> Value:
        colon = self.line.start + len(self.data[self.line.start : self.start].rstrip())
        return self._made("", Style.EMPTY, colon, colon)

    def _quoted(self, whole: str, style: Style) -> Value:
        match = (_DOUBLE if style is Style.DOUBLE else _SINGLE).match(whole)
        if match is None or not re.fullmatch(r"\s*(?:\s#.*)?", whole[match.end() :]):
            self.head.odd.append(("odd-head", f"the quotes of {self.key} in the head do not fit"))
            return self._made(whole.strip(), Style.ODD)
        raw = match.group()
        breaks = raw.count("\n") * (len(self.head.newline) - 1)
        return self._made(_scalar(raw), style, self.start, self.start + len(raw.encode()) + breaks)

    def _flow(self, whole: str) -> Value:
        items = _parted(whole[1:].rstrip()[:-1])
        if whole.startswith("["):
            return self._made(whole, Style.LIST, items=tuple(_scalar(item) for item in items))
        for item in items:
            name, colon, text = item.partition(":")
            if colon and "." not in self.key:
                inner = self._made(_scalar(text.strip()), Style.ODD)
                self.head.values[f"{self.key}.{_scalar(name.strip())}"] = inner
        return self._made(whole, Style.MAP)

    def _below(self) -> Value:
        """A list, a map or a text that begins on the line after its key."""
        first = next(line for line in self.more if not line.idle)
        begin = first.start + first.indent
        whole = self._text(begin)
        if first.item:
            rows = [line for line in self.more if line.item and line.indent == first.indent]
            texts = [row.raw.strip()[1:].decode(errors="replace").strip() for row in rows]
            return self._made(
                whole, Style.LIST, begin, items=tuple(_scalar(_uncommented(text)) for text in texts)
            )
        if _KEY.match(first.raw):
            if "." not in self.key:
                _entries(self.data, self.more, f"{self.key}.", self.head)
            return self._made(whole, Style.MAP, begin)
        return self._made(_folded(whole), Style.PLAIN, begin)


# -- decoding scalars


_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SINGLE = re.compile(r"'(?:[^']|'')*'")
_ESCAPE = re.compile(r"\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\n[ \t]*|.)", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_SHORT |= {"N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}


def _scalar(raw: str) -> str:
    """The text that a quoted or plain scalar says."""
    raw = raw.strip()
    if len(raw) > 1 and raw[0] == raw[-1] == "'":
        return _folded(raw[1:-1]).replace("''", "'")
    if len(raw) > 1 and raw[0] == raw[-1] == '"':
        return _ESCAPE.sub(_unescaped, _folded(raw[1:-1]))
    return raw


def _unescaped(match: re.Match[str]) -> str:
    said = match.group(1)
    if said[0] in "xuU" and len(said) > 1:
        code = int(said[1:], 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    return "" if said[0] == "\n" else _SHORT.get(said, said)


def _folded(text: str) -> str:
    """Lines as YAML folds them: one break is a blank, one more is a line break."""
    if "\n" not in text:
        return text
    first, *others = text.split("\n")
    lines = [first, *(line.lstrip(" \t") for line in others)]
    text = "\n".join([*(line.rstrip(" \t") for line in lines[:-1]), lines[-1]])
    return re.sub(r"(?<!\\)\n(\n*)", lambda match: match.group(1) or " ", text)


def _block(mark: str, lines: list[_Line]) -> str:
    """The text of a block that begins with | or >."""
    texts = [line.raw.decode(errors="replace") for line in lines]
    level = min((len(text) - len(text.lstrip(" ")) for text in texts if text.strip()), default=0)
    text = "\n".join(text[level:] for text in texts)
    if mark.startswith(">"):
        text = re.sub(r"(?<![\n ])\n(\n*)(?![\n ]|\Z)", lambda match: match.group(1) or " ", text)
    return text.rstrip("\n")


def _uncommented(text: str) -> str:
    """A plain or flow value without the comment behind it."""
    return re.split(r"\s#", text, maxsplit=1)[0].strip() if "#" in text else text.strip()


def _parted(text: str) -> list[str]:
    """The parts between the commas that stand outside of quotes and brackets."""
    parts, part, quote, depth = [], "", "", 0
    for char in text:
        if quote:
            ended = char == quote and not (quote == '"' and part.endswith("\\"))
            quote = "" if ended else quote
        elif char in "\"'" and not part.strip(" [{:"):
            quote = char
        elif char in "[]{}":
            depth += 1 if char in "[{" else -1
        elif char == "," and depth <= 0:
            parts.append(part.strip())
            part = ""
            continue
        part += char
    return [each for each in [*parts, part.strip()] if each]
