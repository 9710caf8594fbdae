"""YAML scalars: decoding them, and writing a text as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Style(StrEnum):
    """How a value is written."""

    EMPTY = "empty"
    PLAIN = "plain"
    SINGLE = "single"  # 'it''s'
    DOUBLE = "double"  # "a\tb"
    BLOCK = "block"  # | and >
    LIST = "list"  # lines of "- item", or [a, b]
    MAP = "map"  # lines of "key: value", or {a: b}
    OTHER = "other"  # an alias, a tag, an unclosed quote, a value inside braces


@dataclass(frozen=True, slots=True)
class Value:
    """The value of one key: its text, and its bytes data[start:end].

    `text` is decoded if it is a scalar, else as written; `items` are the scalars of a list. The entry takes
    the lines data[line_start:line_end] and is indented by `indent` spaces.
    """

    text: str
    style: Style
    start: int
    end: int
    line_start: int
    line_end: int
    indent: int = 0
    items: tuple[str, ...] = ()


# -- writing


# What must be escaped in a scalar of one line: control characters, line breaks of all kinds, BOM.
_SPECIAL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# What would be read as a number, a time, a boolean or null if it were unquoted.
_TYPED = re.compile(
    r"true|false|yes|no|on|off|y|n|null|~|[-+]?\d[\d_.,:]*(e[-+]?\d+)?|[-+]?\.(\d+|inf)|\.nan|0[xob][\da-f_]+"
    r"|\d{4}-\d\d?-\d\d?([t ].*)?",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"""(?!\.\.\.)[^\s\-?:,\[\]{}#&*!|>'"%@`](?:(?!:\s|:\Z|\s\#).)*(?<!\s)""")


def format_scalar(text: str, like: Value | None = None) -> str:
    """Return `text` as a YAML scalar in one line, in the style of `like` if that is possible."""
    style = like.style if like is not None else Style.PLAIN
    literal = not _SPECIAL.search(text)
    if style is Style.SINGLE and literal:
        return "'" + text.replace("'", "''") + "'"
    if style is not Style.DOUBLE and literal and _PLAIN.fullmatch(text):
        was_typed = like is not None and style is Style.PLAIN and _TYPED.fullmatch(like.text)
        if was_typed or not _TYPED.fullmatch(text):
            return text
    return '"' + _SPECIAL.sub(_escaped, text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def _escaped(match: re.Match[str]) -> str:
    char = match.group()
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return short.get(char) or (f"\\x{ord(char):02x}" if ord(char) < 0x100 else f"\\u{ord(char):04x}")


# -- decoding


DOUBLE_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
SINGLE_QUOTED = re.compile(r"'(?:[^']|'')*'")
_ESCAPE = re.compile(r"\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|\n[ \t]*|.)", re.DOTALL)
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}
_SHORT |= {"N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}


def decode_scalar(raw: str) -> str:
    """Return the text of a quoted or plain scalar."""
    raw = raw.strip()
    if len(raw) > 1 and raw[0] == raw[-1] == "'":
        return fold_lines(raw[1:-1]).replace("''", "'")
    if len(raw) > 1 and raw[0] == raw[-1] == '"':
        return _ESCAPE.sub(_unescaped, fold_lines(raw[1:-1]))
    return raw


def _unescaped(match: re.Match[str]) -> str:
    escape = match.group(1)
    if escape[0] in "xuU" and len(escape) > 1:
        code = int(escape[1:], 16)
        return chr(code) if code < 0x110000 else "\ufffd"
    return "" if escape[0] == "\n" else _SHORT.get(escape, escape)


def fold_lines(text: str) -> str:
    """Fold lines as YAML does: one line break becomes a space, each further one stays."""
    if "\n" not in text:
        return text
    first, *others = text.split("\n")
    lines = [first, *(line.lstrip(" \t") for line in others)]
    text = "\n".join([*(line.rstrip(" \t") for line in lines[:-1]), lines[-1]])
    return re.sub(r"(?<!\\)\n(\n*)", lambda match: match.group(1) or " ", text)


def decode_block(indicator: str, lines: Sequence[str]) -> str:
    """Return the text of a block scalar with indicator | or >."""
    level = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    text = "\n".join(line[level:] for line in lines)
    if indicator.startswith(">"):
        text = re.sub(r"(?<![\n ])\n(\n*)(?![\n ]|\Z)", lambda match: match.group(1) or " ", text)
    return text.rstrip("\n")


def strip_comment(text: str) -> str:
    """Return a plain or flow value without the comment behind it."""
    return re.split(r"\s#", text, maxsplit=1)[0].strip() if "#" in text else text.strip()


def split_items(text: str) -> list[str]:
    """Split at the commas that are outside of quotes and brackets; empty items are left out."""
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
