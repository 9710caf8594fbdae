"""The README and docs/ are true: keys are those of the command table; pictures, files and commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memtui.tui.key_tables import all_keys, main_keys

TOP = Path(__file__).parents[2]
README = TOP / "README.md"
PAGES = [README, TOP / "ARCHITECTURE.md", *sorted((TOP / "docs").glob("*.md"))]
MAX_README = 120  # lines: three screens


def read(page: Path) -> str:
    return page.read_text("utf-8")


def keys_in(page: Path) -> str:
    return read(page).partition("<!-- keys")[2].partition("-->")[2].partition("<!-- /keys")[0].strip()


def test_the_keys_are_those_of_the_command_table() -> None:
    """`python screenshots/keys.py` writes them."""
    assert keys_in(TOP / "docs" / "keys.md") == all_keys().strip()
    assert keys_in(README) == main_keys().strip()


def test_the_readme_stays_short() -> None:
    assert len(read(README).splitlines()) <= MAX_README


def test_the_readme_names_every_page() -> None:
    """ARCHITECTURE.md names those that the README leaves out."""
    named = read(README) + read(TOP / "ARCHITECTURE.md")
    for page in PAGES[1:]:
        assert page.name in named, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_picture_and_link_is_there(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", read(page))  # a link in code is an example
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text):
        assert not target.startswith("http"), target
        path = page.parent / target if target else page
        assert path.is_file(), target
        headings = {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings_of(path)}
        assert not anchor or anchor in headings, f"{target}#{anchor}"


def headings_of(page: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", read(page), re.MULTILINE) if page.suffix == ".md" else []


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^make (\w+)", read(README), re.MULTILINE))))
def test_every_make_command_is_there(command: str) -> None:
    assert re.search(rf"^{command}:", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE)
