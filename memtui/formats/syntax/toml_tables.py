"""Where the tables of a TOML text stand, so that one can be taken out and the rest stays byte for byte."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

# What may hold a bracket or a line break that has no meaning, and what has one.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a header: the path of its keys, and its lines text[start:end] without the comments and
    empty lines at their end, which mostly belong to the next one."""

    path: tuple[str, ...]
    start: int
    end: int


def tables(text: str) -> list[Table]:
    """Return the tables of a valid TOML text, in their order."""
    headers, comments = _lines(text)
    ends = [*(start for start, _ in headers[1:]), len(text)]
    return [
        Table(_path(header), start, _end(text, start + len(header), end, comments))
        for (start, header), end in zip(headers, ends, strict=False)
    ]


def _lines(text: str) -> tuple[list[tuple[int, str]], set[int]]:
    """Return the headers of tables, each with its place, and where lines begin that are comments."""
    headers, comments, depth, line = list[tuple[int, str]](), set[int](), 0, 0
    for token in _TOKEN.finditer(text):
        is_first = not text[line : token.start()].strip("\ufeff \t")
        if token[0] == "\n":
            line = token.end()
        elif token[0][0] == "#" and is_first:
            comments.add(line)
        elif token[0] in ("[", "{"):
            if depth == 0 and is_first:
                end = text.find("\n", token.end())
                headers.append((line, text[line : end if end >= 0 else len(text)]))
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
    return headers, comments


def _path(header: str) -> tuple[str, ...]:
    path, level = [], tomllib.loads(header.strip("\ufeff\r"))
    while level:
        ((key, inner),) = level.items()
        path.append(key)
        level = inner[0] if isinstance(inner, list) else inner
    return tuple(path)


def _end(text: str, header_end: int, end: int, comments: set[int]) -> int:
    """Return where the last line of a table ends that is neither empty nor a comment."""
    start = min(header_end + 1, end)
    while end > start:
        line = text.rfind("\n", start, end - 1) + 1 or start
        if text[line:end].strip() and line not in comments:
            break
        end = line
    return end
