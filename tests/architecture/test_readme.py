"""The README is true: its keys are the command table's, its pictures and files are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memtui.tui.command_table import keys_markdown

TOP = Path(__file__).parents[2]
README = (TOP / "README.md").read_text("utf-8")


def test_the_keys_are_those_of_the_command_table() -> None:
    block = README.partition("<!-- keys")[2].partition("-->")[2].partition("<!-- /keys")[0]
    assert block.strip() == keys_markdown().strip()


def test_every_picture_and_link_is_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (TOP / target).is_file(), target


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^make (\w+)", README, re.MULTILINE))))
def test_every_make_command_is_there(command: str) -> None:
    assert re.search(rf"^{command}:", (TOP / "Makefile").read_text("utf-8"), re.MULTILINE)
