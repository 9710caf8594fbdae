"""Lists every message of the program, from its catalogues: `make messages`.

One line each: place and message. What is filled in stands in braces, as in the code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "memtui"
CATALOGUES = re.compile(
    r"(?:^|/)(?:wording\w*|finding_help|findings|on_screens|in_dialogs|command_table|table\w*|options\w*|memory_options"
    r"|settings)\.py$|/wording/"
)
"""The modules in which the sentences of the program stand, by path."""
ALSO = ("errors.py", "memory/query/language.py")  # what a refusal begins with, and a table of help
_WORD = re.compile(r"[A-Za-z][a-z’']+")
_CODE = re.compile(r"[\w.:/*{}\\#-]*")  # an id, a path, a pattern: one word without spaces


@dataclass(frozen=True, slots=True)
class Message:
    """A message or label: its file below `memtui/`, its line, and its text."""

    file: str
    line: int
    text: str


@cache
def messages() -> tuple[Message, ...]:
    """Return the messages of all catalogues, in the order of files and lines."""
    files = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    return tuple(
        message
        for file, path in files.items()
        if CATALOGUES.search(file) or file in ALSO
        for message in _messages_in(file, path.read_text("utf-8"))
    )


def _messages_in(file: str, source: str) -> Iterator[Message]:
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))  # a docstring
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(each) for each in ast.walk(node) if each is not node}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "compile":
            skipped |= {id(each) for each in ast.walk(node)}
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            skipped |= {id(each) for each in ast.walk(node.annotation)}
    found = [
        Message(file, node.lineno, text)
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and id(node) not in skipped
        if _is_message(text := _text(node))
    ]
    yield from sorted(found, key=lambda message: message.line)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(
            "{" + ast.unparse(part.value) + "}" if isinstance(part, ast.FormattedValue) else _text(part)
            for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_message(text: str) -> bool:
    """Return whether a person would read this: words, or one capitalized word."""
    return bool(_WORD.search(text)) and (not _CODE.fullmatch(text) or text[0].isupper())


def main() -> None:
    """Print the list."""
    for message in messages():
        print(f"{message.file}:{message.line}\t{' '.join(message.text.split())}")


if __name__ == "__main__":
    main()
