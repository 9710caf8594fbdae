"""memtui as a program: pipes, exit codes, and which workspace is used (S-1, S-2, S-82)."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import memtui
from memtui import cli as command_line
from memtui.cli.commands.stores import stores  # noqa: F401 - see as_another_user
from memtui.cli.parser import argv, table
from memtui.cli.parser.parser import Parser
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import insert_memories
from tests.support.command_line import ROOT, Cli, run_program
from tests.support.sizes import sample_cases


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `memtui` is this installation."""
    head = f'memtui() {{ "{sys.executable}" -m memtui "$@"; }}; set -o pipefail; '
    return subprocess.run(["bash", "-c", head + line], capture_output=True, text=True, timeout=120)


def test_version() -> None:
    result = run_program("--version")
    assert (result.returncode, result.stdout.decode()) == (0, f"memtui {memtui.__version__}\n")


def test_exit_codes(demo_database: Path) -> None:
    assert run_program("list", "status:none").returncode == 1
    assert run_program("list", "--none").returncode == 2


def test_json_in_json_out(bare: Cli) -> None:
    result = run_program("add", "-", "--json", stdin="größer ☕\n".encode())
    (uid,) = json.loads(result.stdout)["uids"]
    listed = bare.json("list", "größer")
    assert [(memory["uid"], memory["content"]) for memory in listed] == [(uid, "größer ☕")]


def test_a_closed_pipe_is_no_error(demo_database: Path) -> None:
    insert_memories(demo_database, [f"{number} " + "x" * 300 for number in range(300)])
    lines = ["memtui list | head -1", "memtui list --json | head -c 5", "memtui --help | head -1"]
    for line in sample_cases(lines, 2):
        result = shell(line)
        assert (result.returncode, result.stderr) == (0, ""), line
        assert result.stdout


def test_output_can_be_piped_into_memtui(cli: Cli) -> None:
    result = shell("memtui list store:mcp* | memtui pin -")
    assert result.returncode == 0, result.stderr
    assert sum(memory["store"].startswith("mcp") for memory in cli.json("list", "is:pinned")) == 14


def test_an_output_that_cannot_be_written(demo_database: Path) -> None:
    lines = ["memtui list", "memtui list --json", "memtui export", "memtui --help"]
    for line in sample_cases(lines, 2):
        result = shell(f"{line} > /dev/full") if Path("/dev/full").exists() else shell(f"{line} >&-; exit 1")
        assert result.returncode == 1
        assert "could not write the output" in result.stderr
        assert "Traceback" not in result.stderr
    assert shell("memtui list db-2 >&-").returncode == 0
    assert shell("memtui list status:x 2>&-").returncode == 1


def test_a_program_whose_terminal_is_gone_ends_although_a_thread_still_reads_it() -> None:
    program = (
        "import sys, threading\n"
        "from memtui.__main__ import main\n"
        "threading.Thread(target=threading.Event().wait).start()\n"
        "sys.stdin.readline()\n"
        "sys.argv[1:] = ['--help']\n"
        "sys.exit(main())\n"
    )
    master, slave = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=slave, stderr=slave
    )
    os.close(slave)
    os.close(master)
    try:
        running.communicate(b"\n", timeout=30)
        assert running.returncode == 1
    finally:
        running.kill()


def test_output_for_an_ascii_terminal_is_ascii(demo_database: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = run_program("list", "tagline", env=env)
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert b"\\u201cBirds of a feather\\u201d" in result.stdout


def test_undecodable_arguments(bare: Cli) -> None:
    result = run_program(b"--workspace", b"\xff.db", b"list", b"\xff")
    assert result.returncode in (0, 1)
    assert b"Traceback" not in result.stderr
    assert b"\xff" not in result.stdout + result.stderr
    undecodable = os.fsdecode(b"\xff")
    for words in (
        ["list", undecodable],
        [undecodable],
        ["show", undecodable],
        ["--workspace", f"{undecodable}.db", "list"],
    ):
        outcome = bare(*words)
        assert outcome.code in (0, 1)
        assert undecodable not in outcome.out + outcome.err


# -- which workspace


def create_workspace(path: Path) -> None:
    Workspace.open(path).close()


@pytest.mark.parametrize(
    "words",
    [
        ["--workspace", "X", "list"],
        ["list", "--workspace", "X"],
        ["--workspace=X", "list"],
        ["list", "--workspace=X"],
    ],
)
def test_the_workspace_option_can_stand_anywhere(cli: Cli, tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "own" / "w.db"
    result = cli(*(word.replace("X", str(path)) for word in words))
    assert (result.code, result.err) == (0, f"No memories yet.\nCreated a new workspace: {path}\n")
    assert path.is_file()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_workspace_can_be_given_by_its_folder(cli: Cli, tmp_path: Path) -> None:
    create_workspace(tmp_path / "team" / "workspace.db")
    cli("add", "in the folder", "--workspace", str(tmp_path / "team"))
    assert "in the folder" in cli("list", "--workspace", str(tmp_path / "team" / "workspace.db")).out


def test_the_environment_names_the_workspace(
    cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cli("list", "db-2").out
    assert not cli("list", "db-2", "--workspace", str(tmp_path / "other.db")).out
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(tmp_path / "third.db"))
    assert not cli("list", "db-2").out
    assert cli("list", "db-2", "--workspace", str(demo_database)).out


def test_the_nearest_workspace_upward_is_used(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    project = tmp_path / "project"
    deep = project / "src" / "deep"
    deep.mkdir(parents=True)
    create_workspace(project / ".memtui" / "workspace.db")
    monkeypatch.chdir(deep)
    cli("add", "for the project")
    assert "for the project" in cli("list", "--workspace", str(project / ".memtui")).out
    create_workspace(deep / ".memtui" / "workspace.db")
    assert cli("list").err == "No memories yet.\n"


def test_the_default_workspace_is_in_the_user_data_folder(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    assert cli("list").err.startswith("No memories yet.\n")
    assert [path.name for path in tmp_path.rglob("workspace.db")] == ["workspace.db"]


def test_a_workspace_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    with tempfile.TemporaryDirectory() as open_to_all:  # pytest's own folders are closed to others
        path = Path(open_to_all) / ".memtui" / "workspace.db"
        create_workspace(path)
        monkeypatch.chdir(open_to_all)
        for folder in path.parents[:2]:
            folder.chmod(0o755)
        path.chmod(0o666)
        code, output = as_another_user(["list", "--json"])
        monkeypatch.chdir("/")
    assert code == 1
    error = json.loads(output)["error"]
    assert error["code"] == "not-yours"
    assert error["message"] == f"Can't open {path}: it belongs to another user."
    assert error["hint"] == "Choose a workspace of your own with --workspace PATH."


def as_another_user(words: list[str]) -> tuple[int, str]:
    """Run a command in a child process of another user; everything it needs is imported already."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(writer, 1)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            else:
                os.getuid = lambda: 65534
            os._exit(command_line.run(words))
        finally:
            os._exit(99)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        output = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), output


# -- the first word


def test_a_folder_named_like_a_command_needs_a_dot(cli: Cli, demo_database: Path) -> None:
    Path("list").symlink_to(demo_database.parents[1] / "assistant")
    assert len(cli("list").out.splitlines()) == 38
    result = cli("./list", "--json")  # the store is attached already; only the screen is missing
    assert result.error["code"] == "no-terminal"
    Path("show").mkdir()
    assert cli("./show", "--json").error["code"] == "no-store"
    assert cli("--json", "--", "show").error["code"] == "no-store"


def test_all_paths_are_checked_before_any_is_attached(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "fresh.db")
    result = cli(str(demo_database.parents[1] / "assistant"), "nothing-here", "--workspace", path, "--json")
    assert result.error["code"] == "missing"
    assert [store["name"] for store in cli.json("stores", "--workspace", path)] == ["native"]


def test_paths_are_attached_without_a_command(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "fresh.db")
    paths = [demo_database.parents[1] / name for name in ("assistant", "larkfield", "order-service/memory")]
    cli(*map(str, paths), "--workspace", path)
    assert [store["count"] for store in cli.json("stores", "--workspace", path)] == [0, 14, 11, 8]


# -- help


def test_help_lists_every_command(bare: Cli) -> None:
    help = bare("--help").out
    for name in table.COMMANDS:
        assert (
            f"\n  {name.removesuffix(' list') if ' ' in name else name}" in help or f"memtui {name}" in help
        ), name
    for heading, commands in table.SECTIONS.items():
        assert f"\n\n{heading}\n  " in help
        assert all(f"  {command.help.removesuffix('.')}\n" in help for command in commands.values())
    for option in (*table.EVERYWHERE, table.VERSION):
        assert f"\n  {option.name}" in help
    assert max(map(len, help.splitlines())) <= 80
    assert help.isascii()
    for words in (["-h"], ["help"], ["nonsense", "--help"], ["--help", "nonsense"]):
        assert bare(*words).out == help


@pytest.mark.parametrize("name", table.COMMANDS)
def test_every_command_has_help(bare: Cli, name: str) -> None:
    result = bare(*name.split(), "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"usage: memtui {name}")
    assert table.COMMANDS[name].help in result.out
    assert bare("help", *name.split()).out == result.out
    assert bare("--help", *name.split()).out == result.out


@pytest.mark.parametrize("name", table.COMMANDS)
def test_the_example_of_a_command_is_in_its_help_and_parses(bare: Cli, name: str) -> None:
    command = table.COMMANDS[name]
    assert f"\nExample: memtui {command.example}\n" in bare(*name.split(), "--help").out
    words = shlex.split(command.example)
    assert " ".join(words[: len(name.split())]) == name
    args = argv.parse(words)
    assert (args.verb, args.command) == (name, command.function)


@pytest.mark.parametrize("name", table.COMMANDS)
def test_the_operands_in_the_table_are_those_that_are_parsed(name: str) -> None:
    parser = Parser(add_help=False)
    table.COMMANDS[name].arguments(parser)
    words = re.findall(r"--?[\w-]+ [A-Z]+|[A-Z]+", table.COMMANDS[name].operands)
    parsed = [str(action.metavar) for action in parser._actions if not action.option_strings]
    required = [
        f"{action.option_strings[0]} {action.metavar}"
        for action in parser._actions
        if action.option_strings and action.required
    ]
    assert words == parsed + required


def test_the_help_starts_without_argparse() -> None:
    code = "import sys; from memtui.cli import run; run(['--help']); sys.exit('argparse' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0


def test_the_help_of_list_explains_the_query_language(bare: Cli) -> None:
    from memtui.memory.query.language import FILTERS

    help = bare("list", "--help").out
    for spec in FILTERS.values():
        assert f"  {spec.name}:" in help
        assert all(value in help for value in spec.allowed)


def test_every_command_has_a_function() -> None:
    import importlib

    for command in table.COMMANDS.values():
        module, _, name = command.function.partition(":")
        assert callable(getattr(importlib.import_module(f"memtui.cli.{module}"), name))


@pytest.mark.parametrize("name", table.COMMANDS)
def test_the_help_of_a_command_fits_and_is_complete(bare: Cli, name: str) -> None:
    help = bare(*name.split(), "--help").out
    assert max(map(len, help.splitlines())) <= 80
    parser = Parser(prog="x")
    table.COMMANDS[name].arguments(parser)
    for action in parser._actions:
        assert action.help, action.dest
        printed = help.split()
        missing = [word for word in action.help.replace("%%", "%").split() if word not in printed]
        assert not missing or action.dest == "help", f"broken: {missing}"
