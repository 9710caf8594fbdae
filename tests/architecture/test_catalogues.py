"""Sentences for people stand in catalogues, so that each is found by grep and changed in one place.

A catalogue is a module `wording*.py` of the package that uses it, or a table of sentences: the commands and
their help, the settings, the meaning of findings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.messages import CATALOGUES, PACKAGE

# Modules whose texts are no sentences of the program's, and why.
DATA = {
    "demo/": "the texts of the demo's memories",
    "memory/contradictions/language/": "the vocabulary of a language",
    "memory/contradictions/facts/": "the vocabulary of a kind of fact",
    "memory/contradictions/states/": "the vocabulary of changes",
    "memory/contradictions/detectors/": "the vocabulary of a detector",
    "formats/cognitive/derived/": "texts of files that the format itself defines",
    "export/report/style.py": "a style sheet",
    "cli/parser/completion/": "scripts for shells",
    "cli/parser/help.py": "the layout of the help",
    "memory/query/language.py": "the table of filters with their help",
    "memory/secrets/": "patterns of secrets",
}
WORDS = re.compile(r"[A-Za-z][A-Za-z’']+")
SQL = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|CREATE|PRAGMA|JOIN|AND|ORDER BY|VALUES|MATCH)\b"
)
# What makes words a sentence rather than a list of names.
GLUE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|the|an?|of|to|by|it|its|no|not|cannot|could|may|at|in|on|with|for)\b"
)
LEAST_WORDS = 4
NO_PROSE = {"compile", "split", "debug", "warning", "exception"}  # methods whose arguments are not shown

LIBRARY_ERRORS = {"AssertionError", "ValueError", "KeyError", "TypeError", "JSONDecodeError"}

# Literals that look like sentences and are none: the place, part of the text, and the reason.
ALLOWED = {
    ("errors.py", "Read the new text"): "the one hint of every conflict; catalogues import this module",
    ("workspace/changes/outbox.py", "the foreign write"): "the name of a step, for tests",
    ("workspace/contradictions/scan.py", "after a batch"): "the name of a step, for tests",
    ("memory/contradictions/comparison/value_conflict.py", "times of day"): "the name of a word class",
}


def _literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string of a module that is no docstring, no pattern and no list of words, with its line."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        inner: list[ast.AST] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner = [node.value]
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(each) for each in ast.walk(node) if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.Assert) and node.msg is not None:
            inner = list(ast.walk(node.msg))
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            # Exceptions of Python and of libraries are raised for code, not for people.
            if isinstance(node.exc.func, ast.Attribute) or getattr(node.exc.func, "id", "") in LIBRARY_ERRORS:
                inner = list(ast.walk(node.exc))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in NO_PROSE:
            inner = list(ast.walk(node))
        skipped |= {id(each) for each in inner}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (each.value if isinstance(each, ast.Constant) else "some" for each in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def sentences(source: str) -> list[tuple[int, str]]:
    """The literals of a module that a person would read as a sentence, or a part of one."""
    return [
        (line, text)
        for line, text in _literals(ast.parse(source))
        if len(WORDS.findall(text)) >= LEAST_WORDS and GLUE.search(text) and not SQL.search(text)
    ]


def test_sentences_stand_in_catalogues() -> None:
    found = []
    used: set[tuple[str, str]] = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE).as_posix()
        if CATALOGUES.search(place) or place.startswith(tuple(DATA)) or "lexicon_source" in place:
            continue
        for line, text in sentences(file.read_text("utf-8")):
            allowed = next((key for key in ALLOWED if key[0] == place and key[1] in text), None)
            if allowed is None:
                found.append(f"memtui/{place}:{line} {text[:80]!r}")
            else:
                used.add(allowed)
    assert not found, "move these into the package's wording.py:\n" + "\n".join(found)
    assert used == ALLOWED.keys(), "allowed, and not needed any more"


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("busy", f"The store {name} is busy.")',
        'label = "nothing is selected here"',
        'show(f"{count} of {total} were written")',
    ],
)
def test_a_sentence_is_found(source: str) -> None:
    assert sentences(source)


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("busy", wording.busy(name))',
        'WORDS = "about after the of to in".split()',
        'SQL = "SELECT id FROM memories WHERE id = ?"',
        '"""A docstring is not the user\'s to read."""',
        'raise AssertionError("this is a bug of the program")',
        'PATTERN = re.compile("is the (word) of it")',
    ],
)
def test_other_text_is_left_alone(source: str) -> None:
    assert not sentences(source)
