"""YAML front matter of Markdown files, read line by line, so that one value can change and every other byte
stays (LIMITS 3).

No value is typed: `no`, `00123` and `1:30` stay text. Nothing is ever serialised: a change is a patch of
bytes. What a YAML reader would reject is reported, and such front matter is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from memtui.formats.syntax import wording
from memtui.formats.syntax.yaml_scalars import (
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    Style,
    Value,
    decode_block,
    decode_scalar,
    fold_lines,
    format_scalar,
    split_items,
    strip_comment,
)

BOM = b"\xef\xbb\xbf"
LIMIT = 64 * 1024  # bytes; longer front matter is neither read nor written

Patch = tuple[int, int, bytes]  # data[start:end] is replaced by these bytes


@dataclass(slots=True)
class FrontMatter:
    """Front matter: values by key, those one level down as "metadata.type".

    Its lines are data[start:end], the text after it begins at `body`. `problems` are (code, text); front
    matter that has any is never changed.
    """

    start: int
    newline: bytes = b"\n"
    end: int = 0
    body: int = 0
    values: dict[str, Value] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)

    def text(self, *keys: str) -> str:
        """Return the first text of one of these keys; "" if there is none."""
        for key in keys:
            value = self.values.get(key)
            if value is not None and value.text:
                return value.text
        return ""

    def put(self, key: str, text: str) -> Patch:
        """Return the patch that sets an existing value, quoted as before if possible.

        Raises Refused if that is not safe.
        """
        self._ensure_writable()
        value = self.values[key]
        if value.style in (Style.LIST, Style.MAP, Style.OTHER):
            raise wording.not_a_scalar(key)
        gap = b" " if value.style is Style.EMPTY else b""
        return value.start, value.end, gap + format_scalar(text, value).encode()

    def insert(self, key: str, text: str, after: str) -> Patch:
        """Return the patch that adds a line below the entry `after`, or in it if `key` is one level down."""
        self._ensure_writable()
        value = self.values[after]
        indent = value.indent + (2 if key.startswith(f"{after}.") else 0)
        name = key.rpartition(".")[2]
        new = f"{' ' * indent}{name}: {format_scalar(text)}".encode() + self.newline
        return value.line_end, value.line_end, new

    def _ensure_writable(self) -> None:
        if self.problems:
            raise wording.unusable(self.problems[0][1])


def read(data: bytes) -> FrontMatter | None:
    """Return the front matter at the start of `data`, None if there is none. Never raises."""
    lines = _lines(data, len(BOM) if data.startswith(BOM) else 0)
    first = next(lines, None)
    if first is None or first.raw.rstrip() != b"---":
        return None
    head = FrontMatter(first.next, b"\r\n" if data[first.stop : first.next] == b"\r\n" else b"\n")
    inner: list[_Line] = []
    for line in lines:
        if line.raw.rstrip() in (b"---", b"..."):
            head.end, head.body = line.start, line.next
            break
        inner.append(line)
    else:
        head.end = head.body = first.start
        head.problems.append(("unclosed-head", wording.UNCLOSED))
        return head
    if head.end - head.start > LIMIT:
        head.problems.append(("big-head", wording.TOO_LONG))
        return head
    if any(line.raw[line.indent : line.indent + 1] == b"\t" for line in inner if not line.is_blank):
        head.problems.append(("tabs", wording.TABS))
    _entries(data, inner, "", head)
    return head


# -- reading lines


class _Line(NamedTuple):
    start: int
    stop: int  # without the line end
    next: int
    raw: bytes
    indent: int
    is_blank: bool  # or a comment

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list."""
        return self.raw.split(maxsplit=1)[:1] == [b"-"]


def _lines(data: bytes, start: int) -> Iterator[_Line]:
    while start < len(data):
        end = data.find(b"\n", start)
        after = len(data) if end < 0 else end + 1
        stop = after if end < 0 else end
        if stop > start and data[stop - 1 : stop] == b"\r":
            stop -= 1
        raw = data[start:stop]
        indent, is_blank = len(raw) - len(raw.lstrip(b" ")), raw.lstrip()[:1] in (b"", b"#")
        yield _Line(start, stop, after, raw, indent, is_blank)
        start = after


_KEY = re.compile(
    rb""" *(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?![-?](?:\s|$))[^\s#"'\[\]{},&*!|>%@`].*?)"""
    rb"""\s*:(?=\s|$)[ \t]*"""
)
_SIMPLE = re.compile(
    rb""" *(?P<key>[A-Za-z_][\w-]*): (?P<value>[^\s"'#|>\[{&*!%@`][^#\r]*)"""
)  # most entries match this


def _entries(data: bytes, lines: list[_Line], prefix: str, head: FrontMatter) -> None:
    """Add the entries of one level to `head`."""
    level = next((line.indent for line in lines if not line.is_blank), 0)
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.is_blank:
            continue
        if line.indent == level and _add_simple(line, lines[at : at + 1], prefix, head):
            continue
        match = _KEY.match(line.raw)
        if match is None or line.indent != level:
            if line.is_item:
                head.problems.append(("list-head", wording.IS_A_LIST))
            else:
                head.problems.append(("odd-head", wording.LINE_WITHOUT_KEY))
            return
        rest = line.raw[match.end() :]
        last = at
        for index in range(at, len(lines)):
            more = lines[index]
            listed = more.is_item and more.indent == level and not rest.strip()
            if not more.is_blank and more.indent <= level and not listed:
                break
            last = last if more.is_blank else index + 1
        key = prefix + decode_scalar(match["key"].decode(errors="replace"))
        if key in head.values:
            head.problems.append(("double-key", wording.DUPLICATE_KEY.format(key=key)))
        entry = _Entry(data, key, line, line.start + match.end(), lines[at:last], head)
        head.values[key] = entry.value()
        at = last


def _add_simple(line: _Line, below: list[_Line], prefix: str, head: FrontMatter) -> bool:
    """Add an entry whose value is plain text in its own line, as most are; return whether it is one."""
    match = _SIMPLE.fullmatch(line.raw)
    if match is None or any(more.is_blank or more.indent > line.indent for more in below):
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
    """The value of one key while it is read: from `start` in its own line, and in the lines `more`."""

    data: bytes
    key: str
    line: _Line
    start: int
    more: list[_Line]
    head: FrontMatter

    def value(self) -> Value:
        first = self.data[self.start : self.line.stop].decode(errors="replace")
        whole = self._text(self.start)
        indicator = first[:1]
        if not first.strip() or indicator == "#":
            return self._below() if self.more else self._empty()
        if indicator in "|>" and re.fullmatch(r"[|>][-+\d]{0,2}\s*(?:\s#.*)?", first):
            return self._value(
                decode_block(first, [line.raw.decode(errors="replace") for line in self.more]), Style.BLOCK
            )
        if indicator in "\"'":
            return self._quoted(whole, Style.DOUBLE if indicator == '"' else Style.SINGLE)
        if indicator in "[{":
            return self._flow(strip_comment(whole))
        if indicator in "&*":
            self.head.problems.append(("alias", wording.ALIAS.format(key=self.key)))
        if indicator in "&*!%@`":
            return self._value(whole.strip(), Style.OTHER)
        if self.more:
            return self._value(fold_lines(whole), Style.PLAIN)
        text = strip_comment(first)
        return self._value(text, Style.PLAIN, self.start, self.start + len(text.encode()))

    def _text(self, start: int) -> str:
        stop = self.more[-1].stop if self.more else self.line.stop
        return self.data[start:stop].decode(errors="replace").replace("\r\n", "\n")

    def _value(
        self, text: str, style: Style, start: int = -1, end: int = -1, items: tuple[str, ...] = ()
    ) -> Value:
        last = self.more[-1] if self.more else self.line
        start, end = (self.start if start < 0 else start), (last.stop if end < 0 else end)
        return Value(text, style, start, end, self.line.start, last.next, self.line.indent, items)

    def _empty(self) -> Value:
        colon = self.line.start + len(self.data[self.line.start : self.start].rstrip())
        return self._value("", Style.EMPTY, colon, colon)

    def _quoted(self, whole: str, style: Style) -> Value:
        match = (DOUBLE_QUOTED if style is Style.DOUBLE else SINGLE_QUOTED).match(whole)
        if match is None or not re.fullmatch(r"\s*(?:\s#.*)?", whole[match.end() :]):
            self.head.problems.append(("odd-head", wording.UNBALANCED_QUOTES.format(key=self.key)))
            return self._value(whole.strip(), Style.OTHER)
        raw = match.group()
        breaks = raw.count("\n") * (len(self.head.newline) - 1)
        return self._value(decode_scalar(raw), style, self.start, self.start + len(raw.encode()) + breaks)

    def _flow(self, whole: str) -> Value:
        items = split_items(whole[1:].rstrip()[:-1])
        if whole.startswith("["):
            return self._value(whole, Style.LIST, items=tuple(decode_scalar(item) for item in items))
        for item in items:
            name, colon, text = item.partition(":")
            if colon and "." not in self.key:
                inner = self._value(decode_scalar(text.strip()), Style.OTHER)
                self.head.values[f"{self.key}.{decode_scalar(name.strip())}"] = inner
        return self._value(whole, Style.MAP)

    def _below(self) -> Value:
        """Return a list, a map or a text that begins on the line after its key."""
        first = next(line for line in self.more if not line.is_blank)
        begin = first.start + first.indent
        whole = self._text(begin)
        if first.is_item:
            rows = [line for line in self.more if line.is_item and line.indent == first.indent]
            texts = [row.raw.strip()[1:].decode(errors="replace").strip() for row in rows]
            return self._value(
                whole, Style.LIST, begin, items=tuple(decode_scalar(strip_comment(text)) for text in texts)
            )
        if _KEY.match(first.raw):
            if "." not in self.key:
                _entries(self.data, self.more, f"{self.key}.", self.head)
            return self._value(whole, Style.MAP, begin)
        return self._value(fold_lines(whole), Style.PLAIN, begin)
