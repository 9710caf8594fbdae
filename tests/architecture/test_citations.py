"""Citations in code, tests and pages resolve inside the project.

`S-42` is a row of docs/specification.md and `SPEC 4` its section 4, `FORMATS 5` is a section of
docs/store-formats.md and `LIMITS 4` one of docs/limits.md, where `LIMITS 4, fault 12` is a row. A heading may
be quoted: `ARCHITECTURE, 'What may not happen'`. Pages are named by their path: `docs/internals.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TOP = Path(__file__).parents[2]
PLACES = ("memtui", "tests", "benchmarks", "schema", "styles", "docs", "screenshots")
SUFFIXES = (".py", ".sql", ".tcss", ".md", ".c", ".toml")
PAGES = {"SPEC": "docs/specification.md", "FORMATS": "docs/store-formats.md", "LIMITS": "docs/limits.md"}

_ROW = re.compile(r"\bS-\d{1,3}[a-z]?\b")
_NUMBERS = r"\d+(?:(?:, | and | to | … )\d+)*"
_SECTION = re.compile(rf"\b(SPEC|FORMATS|LIMITS)(?: sections?)? ({_NUMBERS})\b")
_HEADING = re.compile(r"\b(SPEC|FORMATS|LIMITS|ARCHITECTURE), '(\w[^']+)'")
_PAGE = re.compile(r"(?<![\w/\"\'])docs/[a-z-]+\.md\b")
_FAULT = re.compile(rf"\bfaults? ({_NUMBERS})")
# Documents of other places, and paths of a machine.
_FOREIGN = re.compile(
    r"\b(?:DESIGN|MOCKUPS|HOUSE|WORDING|STYLE|SPEC|FORMATS|LIMITS|seeds?)\.(?:md|txt)\b"
    r"|\b(?:DESIGN|MOCKUPS|HOUSE|WORDING|STYLE)\b(?! ?[=,:\[.(])"
    rf"|\bseed 0\d\d\b|{re.escape(str(TOP))}"
)


class Citation(NamedTuple):
    """What is cited, and where."""

    kind: str  # row, fault, page, or the name of a document
    number: str  # or a heading, or a path
    where: str


def pages() -> list[Path]:
    """Return the files whose citations count."""
    found = [TOP / "README.md", TOP / "ARCHITECTURE.md", TOP / "pyproject.toml", TOP / "Makefile"]
    for place in PLACES:
        found += [path for path in sorted((TOP / place).rglob("*")) if path.suffix in SUFFIXES]
    return [path for path in found if path.is_file() and path != Path(__file__)]


def citations(text: str, where: str) -> Iterator[Citation]:
    """Yield what a text cites. A line that ends in the middle of a citation is joined to the next."""
    text = re.sub(r"\n\s*(?:#|--)?\s*", " ", text)
    yield from (Citation("page", path, where) for path in _PAGE.findall(text))
    yield from (Citation(name, heading, where) for name, heading in _HEADING.findall(text))
    for row in _ROW.findall(text):
        yield Citation("row", row, where)
    for page, numbers in _SECTION.findall(text):
        for number in expanded(numbers):
            yield Citation(page, number, where)
    # Faults of the catalogue, up to the end of the citation.
    for cited in re.findall(r"LIMITS 4, faults? [^).:;]*", text):
        for numbers in _FAULT.findall(cited):
            for number in expanded(numbers):
                yield Citation("fault", number, where)


def expanded(numbers: str) -> list[str]:
    """Return the numbers of a list: 1, 3 to 5 is 1, 3, 4, 5."""
    found: list[str] = []
    for part in re.split(r", | and ", numbers):
        ends = re.split(r" to | … ", part)
        found += map(str, range(int(ends[0]), int(ends[-1]) + 1))
    return found


def targets() -> set[tuple[str, str]]:
    """Return everything that can be cited; rows that are only planned are of the kind "planned"."""
    found: set[tuple[str, str]] = set()
    found |= {("page", f"docs/{path.name}") for path in (TOP / "docs").glob("*.md")}
    for name, page in (*PAGES.items(), ("ARCHITECTURE", "ARCHITECTURE.md")):
        text = (TOP / page).read_text("utf-8")
        found |= {(name, heading) for heading in re.findall(r"^## (?:\d+\. )?([^:\n]+)", text, re.MULTILINE)}
        found |= {(name, number) for number in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)}
        found |= {("fault", n) for n in re.findall(r"^\| (\d+) \|", text, re.MULTILINE) if name == "LIMITS"}
        rows = re.findall(r"^\| (S-\d+[a-z]?) \| (.*)$", text, re.MULTILINE)
        found |= {("planned" if words.startswith("*Planned.*") else "row", row) for row, words in rows}
    return found


def test_every_citation_resolves() -> None:
    known = targets()
    found = [c for path in pages() for c in citations(path.read_text("utf-8"), str(path.relative_to(TOP)))]
    assert {"row", "fault", "page", "ARCHITECTURE", *PAGES} == {c.kind for c in found}
    found = [c for c in found if c.where != PAGES["SPEC"] or ("planned", c.number) not in known]
    assert [c for c in found if (c.kind, c.number) not in known] == []


def test_nothing_outside_the_project_is_cited() -> None:
    for path in pages():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert not _FOREIGN.search(line), f"{path.relative_to(TOP)}:{number}: {line}"


def test_no_number_is_used_twice() -> None:
    for page in PAGES.values():
        text = (TOP / page).read_text("utf-8")
        for pattern in (r"^## (\d+)\. ", r"^\| (S-\d+[a-z]?) \|"):
            numbers = re.findall(pattern, text, re.MULTILINE)
            assert len(numbers) == len(set(numbers)), page


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Undo (S-51, S-2a).", ["row S-51", "row S-2a"]),
        ("Walking (SPEC 7, 9), or SPEC section 3.", ["SPEC 7", "SPEC 9", "SPEC 3"]),
        ("(FORMATS 1 to 3, S-42)", ["row S-42", "FORMATS 1", "FORMATS 2", "FORMATS 3"]),
        ("without words (S-90; LIMITS\n# 4, faults 4, 15)", ["row S-90", "LIMITS 4", "fault 4", "fault 15"]),
        ("WORDS-30 and DEALS-7 are other things", []),
    ],
)
def test_citations_are_found(text: str, cited: list[str]) -> None:
    assert [f"{c.kind} {c.number}" for c in citations(text, "")] == cited
