"""What is wrong in the settings file is reported once, on standard error, and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Cli

FILE = 'colour = "pink"\nmodel = "off"\ntop_k = 0\n'
PROBLEMS = [
    "memtui: settings.toml, line 1: unknown setting “colour”.",
    "memtui: settings.toml, line 3: top_k must be a whole number from 1 to 1000.",
]


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("search", "invoice")])
def test_problems_are_printed_once_on_standard_error(cli: Cli, here: Path, words: tuple[str, ...]) -> None:
    sound = cli(*words)
    (here.parent / "settings.toml").write_text(FILE, "utf-8")
    faulty = cli(*words)
    assert (faulty.code, faulty.out) == (sound.code, sound.out)
    assert faulty.err.splitlines() == [*PROBLEMS, *sound.err.splitlines()]
    if "--json" in words:
        assert faulty.json


def test_a_refusal_keeps_its_exit_code(cli: Cli, here: Path) -> None:
    (here.parent / "settings.toml").write_text("theme = [\n", "utf-8")
    refused = cli("show", "nosuchuid")
    assert refused.code == 1
    assert refused.err.startswith("memtui: Could not read settings.toml: ")


def test_a_command_without_settings_reports_nothing(cli: Cli, here: Path) -> None:
    (here.parent / "settings.toml").write_text(FILE, "utf-8")
    assert cli("--version").err == ""
