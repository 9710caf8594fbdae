"""Completion for bash, zsh and fish (S-82): Tab is pressed in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from memtui.cli.parser import argv, options, table
from memtui.cli.parser.completion import bash, completed, fish, zsh
from memtui.cli.parser.table import COMMANDS
from memtui.formats.registry import formats
from memtui.memory.query.language import FILTERS
from tests.support.command_line import FOUNDER, ROOT, Cli
from tests.support.typing_shell import TypingShell

NAMES = {f"{name}:" for name in FILTERS}


@pytest.fixture(scope="module", autouse=True)
def cached_commands() -> Iterator[None]:
    """Cache the commands: a completion script asks for them several times."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (completed, bash, zsh, fish):
            patch.setattr(module, "commands", cache(completed.commands))
        yield


@pytest.fixture(scope="module")
def script() -> str:
    return bash.script()


# Each Tab asks memtui; what it answered is kept in $KEPT until a test changes the workspace.
PROGRAM = f"""#!/bin/sh
kept="$KEPT/$*"
[ -e "$kept" ] && exec cat "$kept"
PYTHONPATH="{ROOT}" "{sys.executable}" -m memtui "$@" > "$kept" || {{ rm "$kept"; exit 1; }}
exec cat "$kept"
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with memtui, as a shell finds it."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "memtui"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory, script: str, program: Path) -> Iterator[TypingShell]:
    """A bash that has read the script."""
    path = tmp_path_factory.mktemp("script") / "memtui.bash"
    path.write_text(script)
    shell = TypingShell(path, {"PATH": f"{program}:{os.environ['PATH']}", "TERM": "dumb"})
    yield shell
    shell.close()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    folder.mkdir()
    return folder


@pytest.fixture
def folder(shell: TypingShell, here: Path, kept: Path) -> Path:
    """The folder in which bash is, with a file and with folders named like commands."""
    (here / "a store.jsonl").touch()
    for name in ("list", "stores"):
        (here / name).mkdir()
    shell.run(f"cd '{here}'; export MEMTUI_WORKSPACE='{os.environ['MEMTUI_WORKSPACE']}'")
    shell.run(f"export MEMTUI_SETTINGS='{os.environ['MEMTUI_SETTINGS']}' KEPT='{kept}'")
    return here


def test_bash_offers_every_command(shell: TypingShell, folder: Path) -> None:
    first_words = {name.split()[0] for name in COMMANDS}
    assert first_words | {"help", "a store.jsonl"} == set(shell.offered("memtui "))
    assert first_words == set(shell.offered("memtui help "))
    in_stores = {name.split()[1] for name in COMMANDS if name.startswith("stores ")}
    assert set(shell.offered("memtui stores ")) == set(shell.offered("memtui help stores ")) == in_stores
    assert set(shell.offered("memtui completion ")) == {"bash", "zsh", "fish"}
    assert {each.format for each in formats()} == set(shell.offered("memtui stores create "))


def test_bash_offers_every_option_of_every_command(shell: TypingShell, folder: Path) -> None:
    for each in completed.commands():
        offered = set(shell.offered(f"memtui {each.name} --"))
        assert offered == {option.name for option in each.options if option.name.startswith("--")}, each.name
    assert {"--version", "--workspace"} <= set(shell.offered("memtui -"))
    assert {f"-{name}" for name in NAMES} | {"--sort"} <= set(shell.offered("memtui list -"))


def test_bash_offers_values_and_filters(shell: TypingShell, folder: Path) -> None:
    assert set(shell.offered("memtui list --sort ")) == set(options.SORTS)
    for words in ("list", "search", "saved add one", "clusters -- x"):
        assert set(shell.offered(f"memtui {words} ")) == NAMES
    values = shell.offered("memtui list is:")
    assert {values[0].removeprefix("is:"), *values[1:]} == set(FILTERS["is"].allowed)


COMPLETED = [
    ("lis", "list "),
    ("help stores dis", "help stores discover "),
    ("--workspace x.db lis", "--workspace x.db list "),
    ("--workspace=x.db lis", "--workspace=x.db list "),
    ("list --workspace=x.db --so", "list --workspace=x.db --sort "),
    ("list sta", "list status:"),
    ("list -sta", "list -status:"),
    ("list status:pe", "list status:pending "),
    ("list -status:con", "list -status:confirmed "),
    ('list "sta', 'list "status:'),
    ('list "status:pe', 'list "status:pending" '),
    ("list 'tag:x -status:pe", "list 'tag:x -status:pending' "),
    ("list --sort n", "list --sort newest "),
    ("list --sort=n", "list --sort=newest "),
    ("search --by m", "search --by meaning "),
    ("contradictions resolve 3 both", "contradictions resolve 3 both-true "),
    ("stores create founder-os a", "stores create founder-os a\\ store.jsonl "),
    ("stores attach x a", "stores attach x a\\ store.jsonl "),
    ("doctor --salvage=a", "doctor --salvage=a\\ store.jsonl "),
    ("--workspace a", "--workspace a\\ store.jsonl "),
    ("eval retrieval a", "eval retrieval a\\ store.jsonl "),
    ("./x ./lis", "./x ./list/"),
]


@pytest.mark.parametrize(("typed", "line"), COMPLETED)
def test_bash_completes(shell: TypingShell, folder: Path, typed: str, line: str) -> None:
    assert shell.tab(f"memtui {typed}") == f"memtui {line}"


NOTHING = ("add ", "pin a", "completion bash ", "contradictions --kind ", "list --limit ", "help list ")


@pytest.mark.parametrize("typed", [*NOTHING, "stores rename x ", "stores detach "])
def test_bash_offers_nothing_where_anything_may_stand(shell: TypingShell, folder: Path, typed: str) -> None:
    assert shell.tab(f"memtui {typed}") == f"memtui {typed}"
    assert not Path(os.environ["MEMTUI_WORKSPACE"]).exists()  # not created to look for the names of stores


def test_bash_offers_the_names_of_stores(shell: TypingShell, folder: Path, kept: Path, cli: Cli) -> None:
    names = {each["name"] for each in cli.json("stores", "list")}
    assert FOUNDER in names
    assert names == set(shell.offered("memtui stores detach "))
    for words in ("stores detach ", "add --store ", "add --store=", "copy abc --to ", "backup list "):
        assert shell.tab(f"memtui {words}{FOUNDER[:-3]}") == f"memtui {words}{FOUNDER} "
    assert shell.tab(f"memtui --workspace=x.db stores detach {FOUNDER[:-3]}").endswith(FOUNDER[:-3])
    cli("stores", "rename", FOUNDER, "$(touch made) x")  # never run, and quoted
    (answer,) = kept.iterdir()
    answer.unlink()
    assert shell.tab("memtui stores detach \\$").endswith("detach \\$\\(touch\\ made\\)\\ x ")
    assert not (folder / "made").exists()


def test_bash_offers_the_names_of_rules_and_their_actions(shell: TypingShell, folder: Path, cli: Cli) -> None:
    cli("rules", "add", "Keep it", "--when", "x", "--do", "pin")
    for command in ("show", "test", "edit", "remove", "on", "off", "move"):
        assert shell.tab(f"memtui rules {command} Ke") == f"memtui rules {command} Keep\\ it "
    assert set(shell.offered("memtui rules move x ")) == {"up", "down"}
    assert {"pin", "tag=", "dismiss"} <= set(shell.offered("memtui rules add x --do "))
    assert shell.tab("memtui rules add x --do ta") == "memtui rules add x --do tag="
    assert shell.tab("memtui rules test --when status:pe") == "memtui rules test --when status:pending "


def test_the_script_is_valid_bash(bare: Cli, script: str) -> None:
    result = bare("completion", "bash")
    assert result.out == script
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("shell_name", ["zsh", "fish"])
def test_the_scripts_for_zsh_and_fish_are_complete(bare: Cli, shell_name: str) -> None:
    script = bare("completion", shell_name).out
    for name in COMMANDS:
        assert name.split()[-1] in script
    for name in FILTERS:
        assert f"{name}:" in script
    for sort in options.SORTS:
        assert sort in script
    assert ("--sort" if shell_name == "zsh" else "-l sort") in script
    assert bare.json("completion", shell_name) == {"shell": shell_name, "script": script}


def test_the_options_that_stand_anywhere_come_from_the_table() -> None:
    assert [option.name for option in completed.EVERYWHERE] == [each.name for each in table.EVERYWHERE]
    for name in [each.name for each in table.EVERYWHERE if each.name != "--help"]:
        value = ["x.db"] if name == "--workspace" else []
        for words in ([name, *value, "stats"], ["stats", name, *value]):
            args = argv.parse(words)
            assert getattr(args, name[2:].replace("-", "_")) == (value[0] if value else True)


IN_OTHER_SHELLS = [
    ("memtui sto", {"stores"}),
    ("memtui stores dis", {"discover"}),
    ("memtui help stores dis", {"discover"}),
    ("memtui --workspace x.db lis", {"list"}),
    ("memtui list --sort=n", {"--sort=newest"}),
    ("memtui --workspace=x.db lis", {"list"}),
    ("memtui list status:pe", {"status:pending"}),
    ("memtui list -status:pe", {"-status:pending"}),
    ("memtui stores create fou", {"founder-os"}),
    ("memtui completion zsh ", set()),
    ("memtui stores attach x a", {"archive.jsonl"}),
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
            input=fish.script(), capture_output=True, text=True, check=True, cwd=here, timeout=60,
        )  # fmt: skip
        assert result.stderr == ""
        assert {each.split("\t")[0] for each in result.stdout.splitlines()} == offered


if shutil.which("zsh"):

    def test_the_script_is_valid_zsh() -> None:
        result = subprocess.run(["zsh", "-f", "-n"], input=zsh.script(), capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")


def test_an_unknown_shell_is_a_usage_error(bare: Cli) -> None:
    assert bare("completion", "tcsh").code == 2
