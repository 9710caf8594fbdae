"""Sentences are made once, of codes and data, and are never read again: no code compares, searches, splits or
patches the words of a refusal, a finding or a change."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "memtui"
SENTENCES = frozenset({"message", "hint", "why", "words", "summary", "reason"})  # attributes that hold them
NAMES = SENTENCES - {"words"}  # variables that do; words are mostly those of a query or of a memory
PARSING = frozenset(
    "startswith endswith partition rpartition split rsplit splitlines replace find rfind index rindex count "
    "removeprefix removesuffix strip lstrip rstrip casefold lower upper title capitalize swapcase".split()
)
MATCHING = frozenset("match search fullmatch findall finditer sub subn split".split())

_ANY = "|".join(SENTENCES)
# Most files have nothing that looks like it, and need not be parsed.
_SUSPECT = re.compile(
    rf"\b(?:{_ANY})\)?\s*(?:\[|\.(?:{'|'.join(PARSING)})\b|==|!=|not in\b|in\b)"
    rf"|(?:\bin|==|!=)\s+(?:str\()?[\w.]*\b(?:{_ANY}|error|refusal|refused|trouble)\b"
    rf"|\.(?:{'|'.join(MATCHING)})\([^()]*\b(?:{_ANY})\b"
    r"|\bstr\((?:error|refusal|refused|trouble)\)\s*[.\[=!]"
    r"|wording\w*\.\w+\s*(?:==|!=|not in\b|in\b)|(?:==|!=)\s+\w*wording\w*\.\w+"
)

# Where such a name holds no sentence, or reading it is the one way: the place, and the reason.
ALLOWED = {
    ("embedding/bundled.py", "_first_line"): "what another library says, of which the first line is shown",
    ("memory/contradictions/pairs.py", "swapped"): "a conflict's words are the two values",
    ("tui/review/pair_list.py", "_pair_line"): "a pair's words are the two values",
    ("tui/review/comparison.py", "compared_sides"): "a pair's words are the two values",
    (
        "tui/review/pair_text.py",
        "why_text",
    ): "only a stored reason tells whether it has the values",
    ("text.py", "after_colon"): "the case of its first letter, where a reason stands behind a colon",
    ("workspace/vectors/queue.py", "_retry_later"): "cut to what the table takes",
}


def _is_sentence(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str" and node.args:
        return _is_error(node.args[0]) or _is_sentence(node.args[0])
    if isinstance(node, ast.Attribute):
        return node.attr in SENTENCES
    return isinstance(node, ast.Name) and node.id in NAMES


def _is_error(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"error", "refusal", "refused", "trouble"}


def _is_text(node: ast.expr) -> bool:
    """A literal that is not the empty string: whether there is a reason at all may be asked."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""
    )


def _reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Subscript):
        return _is_sentence(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, owner = node.func.attr, node.func.value
        return (name in PARSING and _is_sentence(owner)) or (
            name in MATCHING and any(_is_sentence(each) for each in node.args)
        )
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for left, sign, right in zip(sides, node.ops, sides[1:], strict=False):
            if _is_catalogued(left) or (isinstance(sign, (ast.Eq, ast.NotEq)) and _is_catalogued(right)):
                return True
            if isinstance(sign, (ast.In, ast.NotIn)) and (_is_sentence(right) or _is_sentence(left)):
                return True
            if isinstance(sign, (ast.Eq, ast.NotEq)) and (
                (_is_sentence(left) and (_is_text(right) or _is_constant(right)))
                or (_is_sentence(right) and (_is_text(left) or _is_constant(left)))
            ):
                return True
    return False


def _is_catalogued(node: ast.expr) -> bool:
    """Whether an expression is a sentence of a catalogue, by its name there."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    module = node.value.id
    return module == "wording" or module.startswith("wording_") or module.endswith("_wording")


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.isupper()


def _readers(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The functions in which a sentence is read, with the line."""
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    for node in ast.walk(tree):  # a function comes before what it holds
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append(node)
        elif isinstance(node, (ast.Call, ast.Subscript, ast.Compare)) and _reads(node):
            line = node.lineno
            around = [each.name for each in functions if each.lineno <= line <= (each.end_lineno or 0)]
            yield around[-1] if around else "", line


def _in(source: str) -> list[tuple[str, int]]:
    return list(_readers(ast.parse(source))) if _SUSPECT.search(source) else []


def test_no_code_reads_a_sentence() -> None:
    found: dict[tuple[str, str], int] = {}
    for file in PACKAGE.rglob("*.py"):
        if file.parent.name == "lexicon_source":
            continue  # its words are those of a language
        place = file.relative_to(PACKAGE).as_posix()
        found |= {(place, name): line for name, line in _in(file.read_text("utf-8"))}
    new = [f"memtui/{place}:{found[place, name]} {name}" for place, name in sorted(found.keys() - ALLOWED)]
    assert not new, "a sentence is read; give its object a code or data instead"
    assert ALLOWED.keys() <= found.keys(), "allowed, and not needed any more"


@pytest.mark.parametrize(
    "code",
    [
        'refusal.message.removeprefix("Not saved: ")',
        "text == wording.NOTHING_CHANGED",
        "stores_wording.LOCKED in line",
        "finding.words[-80:]",
        'change.summary.partition(": ")[2]',
        '"Review" in why',
        "why == CHANGED",
        "self.why.startswith(_UNASKED)",
        'event.reason != "It is gone."',
        're.search("more like it", issue.words)',
        "_COUNTED.search(finding.words)",
        '"malformed" in str(error)',
        "refusal.hint in seen",
        "skipped.why.lower()",
    ],
)
def test_such_code_is_found(code: str) -> None:
    assert _in(code)


@pytest.mark.parametrize(
    "code",
    [
        'refusal.code == "busy"',
        "name in wording.SORTS",
        "if refusal.why: say(refusal.message)",
        'why != ""',
        'f"Not resolved: {refusal.why}"',
        '" ".join((change.summary, hint)).strip()',
    ],
)
def test_other_code_is_left_alone(code: str) -> None:
    assert not _in(code)
