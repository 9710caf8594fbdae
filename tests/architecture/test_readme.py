"""The README and docs/ are true: keys are those of the command table; pictures, files and commands exist."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from memtui.cli.parser.argv import parse
from memtui.cli.parser.table import COMMANDS
from memtui.settings import Settings
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


def examples(page: Path) -> list[list[str]]:
    """Return the words of every memtui command in the shell examples of a page."""
    found: list[list[str]] = []
    for block in re.findall(r"```sh\n(.*?)```", read(page), re.DOTALL):
        for line in block.splitlines():
            lexer = shlex.shlex(line, posix=True, punctuation_chars=";|")
            lexer.whitespace_split = True
            command: list[str] = []
            for word in (*lexer, ";"):
                if word not in ("|", ";"):
                    command.append(word)
                else:
                    found += [command[1:]] if command[:1] == ["memtui"] else []
                    command = []
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_example_is_a_command_with_its_options(page: Path) -> None:
    for words in examples(page):
        parsed = parse(words)
        assert parsed.command != "runtime.open_workspace:open_tui" or "/" in "".join(words), words


def test_the_page_of_the_command_line_names_every_command() -> None:
    text = read(TOP / "docs" / "command-line.md")
    for command in COMMANDS:
        assert re.search(rf"\bmemtui {command.removesuffix(' list')}\b", text), command


def test_the_page_of_the_settings_names_each_with_its_default() -> None:
    text = read(TOP / "docs" / "settings.md")
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]*)` \|", text, re.MULTILINE))
    defaults = Settings()
    assert list(rows) == [field.name for field in fields(Settings)]
    for name, shown in rows.items():
        value = tomllib.loads(f"x = {shown}")["x"]
        default = getattr(defaults, name)
        assert value == (list(default) if isinstance(default, tuple) else default), name
