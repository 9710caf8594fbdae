"""Completion for bash, zsh and fish (S-82)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from memtui.cli.parser import argv, completion, options, table
from memtui.cli.parser.table import COMMANDS
from memtui.memory.query.language import FILTERS
from tests.support.command_line import Cli


@pytest.fixture(scope="module", autouse=True)
def cached_commands() -> Iterator[None]:
    """Cache the commands: a completion script asks for them dozens of times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(completion, "commands", cache(completion.commands))
        yield


Complete = Callable[..., list[str]]

_COMPLETE = """
source /dev/stdin <<'SCRIPT'
{script}
SCRIPT
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_memtui
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def script() -> str:
    return completion._bash()


@pytest.fixture
def complete(script: str, here: Path) -> Complete:
    """Return a function that lists what a real bash offers for the last of some words."""

    def complete(*words: str) -> list[str]:
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("memtui", *words))
        result = subprocess.run(
            ["bash", "--norc", "-c", _COMPLETE.format(script=script, words=quoted)],
            capture_output=True, text=True, check=True, cwd=here, timeout=30,
        )  # fmt: skip
        assert result.stderr == ""
        return [line for line in result.stdout.splitlines() if line]

    return complete


def test_bash_offers_every_command(complete: Complete) -> None:
    first_words = {name.split()[0] for name in COMMANDS}
    assert first_words | {"help"} == set(complete(""))
    assert complete("comp") == ["completion"]
    assert set(complete("stores", "")) == {n.split()[1] for n in COMMANDS if n.startswith("stores ")}
    assert complete("stores", "dis") == ["discover"]
    assert complete("completion", "") == ["bash", "zsh", "fish"]


def test_bash_offers_every_option_of_every_command(complete: Complete) -> None:
    for each in completion.commands():
        offered = set(complete(*each.name.split(), "--"))
        assert offered == {option.name for option in each.options if option.name.startswith("--")}, each.name
    assert "--sort" in complete("list", "--")
    assert "--sort" not in complete("show", "--")
    assert {"--version", "--workspace"} <= set(complete("-"))


def test_bash_offers_values_and_filters(complete: Complete) -> None:
    assert set(complete("list", "--sort", "")) == set(options.SORTS)
    assert complete("list", "--sort", "n") == ["newest"]
    assert set(complete("list", "")) == {f"{name}:" for name in FILTERS}
    # bash splits words at the colon.
    assert complete("list", "status", ":", "pe") == ["pending"]
    assert set(complete("list", "is", ":")) == set(FILTERS["is"].allowed)
    assert set(complete("search", "has", ":")) == set(FILTERS["has"].allowed)
    assert complete("search", "--by", "m") == ["meaning"]
    assert "tag:" in complete("saved", "add", "one", "")
    assert complete("saved", "") == ["list", "add", "forget"]
    assert complete("--workspace", "x.db", "lis") == ["list"]


def test_bash_offers_files_for_paths(complete: Complete, here: Path) -> None:
    (here / "a store.jsonl").touch()
    assert "a store.jsonl" in complete("stores", "attach", "a")
    assert "a store.jsonl" in complete("doctor", "--salvage", "")
    assert "a store.jsonl" in complete("--workspace", "")
    assert "a store.jsonl" in complete("eval", "retrieval", "a")
    assert "a store.jsonl" not in complete("pin", "a")


def test_the_script_is_valid_bash(bare: Cli, script: str) -> None:
    result = bare("completion", "bash")
    assert result.out == script
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    registered = subprocess.run(
        ["bash", "--norc", "-c", 'source /dev/stdin; complete -p memtui'],
        input=script, text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert "-F _memtui" in registered.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_scripts_for_zsh_and_fish_are_complete(bare: Cli, shell: str) -> None:
    script = bare("completion", shell).out
    for name in COMMANDS:
        assert name.split()[-1] in script
    for name in FILTERS:
        assert f"{name}:" in script
    for sort in options.SORTS:
        assert sort in script
    assert ("--sort" if shell == "zsh" else "-l sort") in script
    assert bare.json("completion", shell) == {"shell": shell, "script": script}


def test_bash_knows_groups_and_help(complete: Complete) -> None:
    assert "--kind" in complete("contradictions", "--")  # what the group alone stands for
    assert complete("contradictions", "--kind", "") == []
    assert complete("list", "--limit", "") == []
    assert complete("list", "--sort", "=", "n") == ["newest"]
    assert complete("help", "stat") == ["stats"]
    assert complete("help", "stores", "dis") == ["discover"]


def test_the_options_that_stand_anywhere_come_from_the_table() -> None:
    assert [option.name for option in completion.EVERYWHERE] == [each.name for each in table.EVERYWHERE]
    for name in [each.name for each in table.EVERYWHERE if each.name != "--help"]:
        value = ["x.db"] if name == "--workspace" else []
        for words in ([name, *value, "stats"], ["stats", name, *value]):
            args = argv.parse(words)
            assert getattr(args, name[2:].replace("-", "_")) == (value[0] if value else True)


def test_paths_are_known_by_their_argument() -> None:
    def completed(name: str) -> bool:
        return next(each.paths for each in completion.commands() if each.name == name)

    assert completed("stores create")
    assert not completed("stores rename")  # its NEW is a name


IN_OTHER_SHELLS = [
    ("memtui sto", {"stores"}),
    ("memtui stores dis", {"discover"}),
    ("memtui help stores dis", {"discover"}),
    ("memtui --workspace x.db lis", {"list"}),
    ("memtui list --sort=n", {"--sort=newest"}),
    ("memtui list status:pe", {"status:pending"}),
    ("memtui saved add one ta", {"tag:"}),
    ("memtui stores list st", set()),
    ("memtui completion z", {"zsh"}),
    ("memtui stores attach a", {"archive.jsonl"}),
    ("memtui pin a", set()),
]


# Tests of shells that few machines have: they exist where the shell does.
if shutil.which("fish"):

    @pytest.mark.parametrize(("line", "offered"), IN_OTHER_SHELLS)
    def test_fish_completes(here: Path, line: str, offered: set[str]) -> None:
        (here / "archive.jsonl").touch()
        result = subprocess.run(
            ["fish", "--no-config", "-c", f"source; complete -C '{line}'"],
            input=completion._fish(), capture_output=True, text=True, check=True, cwd=here, timeout=60,
        )  # fmt: skip
        assert result.stderr == ""
        assert {each.split("\t")[0] for each in result.stdout.splitlines()} == offered


if shutil.which("zsh"):

    def test_the_script_is_valid_zsh() -> None:
        result = subprocess.run(["zsh", "-f", "-n"], input=completion._zsh(), capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")


def test_an_unknown_shell_is_a_usage_error(bare: Cli) -> None:
    assert bare("completion", "tcsh").code == 2
