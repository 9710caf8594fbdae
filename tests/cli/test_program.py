"""memtui as a program: pipes, exit codes, places, and whose workspace it is (S-1, S-2, S-82)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import memtui
from memtui import cli as command_line
from memtui.cli.commands.stores import stores  # noqa: F401 - see other_user
from memtui.cli.parser import table
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import fill
from tests.support.command_line import ROOT, Cli, program


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of bash in which `memtui` is this one."""
    head = f'memtui() {{ "{sys.executable}" -m memtui "$@"; }}; set -o pipefail; '
    return subprocess.run(["bash", "-c", head + line], capture_output=True, text=True, timeout=120)


def test_version() -> None:
    ran = program("--version")
    assert (ran.returncode, ran.stdout.decode()) == (0, f"memtui {memtui.__version__}\n")


def test_exit_codes(demo_database: Path) -> None:
    assert program("list", "status:none").returncode == 1
    assert program("list", "--none").returncode == 2


def test_json_in_json_out(bare: Cli) -> None:
    ran = program("add", "-", "--json", put="größer ☕\n".encode())
    (uid,) = json.loads(ran.stdout)["uids"]
    listed = bare.json("list", "größer")
    assert [(memory["uid"], memory["content"]) for memory in listed] == [(uid, "größer ☕")]


def test_a_reader_that_leaves_is_no_error(demo_database: Path) -> None:
    fill(demo_database, [f"{number} " + "x" * 300 for number in range(300)])
    for line in ("memtui list | head -1", "memtui list --json | head -c 5", "memtui --help | head -1"):
        ran = shell(line)
        assert (ran.returncode, ran.stderr) == (0, ""), line
        assert ran.stdout


def test_memtui_into_memtui(cli: Cli) -> None:
    ran = shell("memtui list store:mcp* | memtui pin -")
    assert ran.returncode == 0, ran.stderr
    assert sum(memory["store"].startswith("mcp") for memory in cli.json("list", "is:pinned")) == 14


def test_an_output_that_cannot_be_written(demo_database: Path) -> None:
    for line in ("memtui list", "memtui list --json", "memtui --help"):
        ran = shell(f"{line} > /dev/full") if Path("/dev/full").exists() else shell(f"{line} >&-; exit 1")
        assert ran.returncode == 1
        assert "Traceback" not in ran.stderr
    assert shell("memtui list db-2 >&-").returncode == 0
    assert shell("memtui list status:x 2>&-").returncode == 1


def test_an_ascii_terminal_gets_ascii(demo_database: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ran = program("list", "tagline", env=env)
    assert ran.returncode == 0
    assert ran.stdout.isascii()
    assert b"\\u201cBirds of a feather\\u201d" in ran.stdout


def test_arguments_that_are_no_text(bare: Cli) -> None:
    ran = program(b"--workspace", b"\xff.db", b"list", b"\xff")
    assert ran.returncode in (0, 1)
    assert b"Traceback" not in ran.stderr
    assert b"\xff" not in ran.stdout + ran.stderr
    other = os.fsdecode(b"\xff")  # as Python hands it over
    for words in (["list", other], [other], ["show", other], ["--workspace", f"{other}.db", "list"]):
        told = bare(*words)
        assert told.code in (0, 1)
        assert other not in told.out + told.err


# -- which workspace


def here_is(path: Path) -> None:
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
def test_the_workspace_may_be_named_anywhere(cli: Cli, tmp_path: Path, words: list[str]) -> None:
    path = tmp_path / "mine" / "w.db"
    ran = cli(*(word.replace("X", str(path)) for word in words))
    assert (ran.code, ran.err) == (0, f"There are no memories yet.\nMade a new workspace: {path}\n")
    assert path.is_file()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_folder_stands_for_the_workspace_in_it(cli: Cli, tmp_path: Path) -> None:
    here_is(tmp_path / "team" / "workspace.db")
    cli("add", "in the folder", "--workspace", str(tmp_path / "team"))
    assert "in the folder" in cli("list", "--workspace", str(tmp_path / "team" / "workspace.db")).out


def test_the_environment_names_it(
    cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cli("list", "db-2").out
    assert not cli("list", "db-2", "--workspace", str(tmp_path / "other.db")).out
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(tmp_path / "third.db"))
    assert not cli("list", "db-2").out
    assert cli("list", "db-2", "--workspace", str(demo_database)).out


def test_the_nearest_one_upward(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    project = tmp_path / "project"
    deep = project / "src" / "deep"
    deep.mkdir(parents=True)
    here_is(project / ".memtui" / "workspace.db")
    monkeypatch.chdir(deep)
    cli("add", "for the project")
    assert "for the project" in cli("list", "--workspace", str(project / ".memtui")).out
    here_is(deep / ".memtui" / "workspace.db")
    assert cli("list").err == "There are no memories yet.\n"


def test_else_the_one_in_the_user_data_folder(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    assert cli("list").err.startswith("There are no memories yet.\n")
    assert [path.name for path in tmp_path.rglob("workspace.db")] == ["workspace.db"]


def test_a_workspace_of_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMTUI_WORKSPACE")
    with tempfile.TemporaryDirectory() as open_to_all:  # pytest's own folders are closed to others
        path = Path(open_to_all) / ".memtui" / "workspace.db"
        here_is(path)
        monkeypatch.chdir(open_to_all)
        for folder in path.parents[:2]:
            folder.chmod(0o755)
        path.chmod(0o666)
        code, told = as_another_user(["list", "--json"])
        monkeypatch.chdir("/")
    assert code == 1
    error = json.loads(told)["error"]
    assert error["code"] == "not-yours"
    assert error["message"] == f"{path} belongs to another user and is not opened."
    assert error["hint"] == "Name a workspace of yours with --workspace PATH."


def as_another_user(words: list[str]) -> tuple[int, str]:
    """Run a command in a child of another user; everything that it needs is imported already."""
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
        told = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told


# -- the first word


def test_a_folder_named_like_a_command_is_a_path_with_a_dot(cli: Cli, demo_database: Path) -> None:
    Path("list").symlink_to(demo_database.parents[1] / "assistant")
    assert len(cli("list").out.splitlines()) == 38
    ran = cli("./list", "--json")  # the store is attached already; only the screen is missing
    assert ran.error["code"] == "no-terminal"
    Path("show").mkdir()
    assert cli("./show", "--json").error["code"] == "no-store"
    assert cli("--json", "--", "show").error["code"] == "no-store"


def test_every_path_is_looked_at_before_any_is_attached(
    cli: Cli, demo_database: Path, tmp_path: Path
) -> None:
    fresh = str(tmp_path / "fresh.db")
    ran = cli(str(demo_database.parents[1] / "assistant"), "nothing-here", "--workspace", fresh, "--json")
    assert ran.error["code"] == "missing"
    assert [store["name"] for store in cli.json("stores", "--workspace", fresh)] == ["native"]


def test_attaching_by_path_needs_no_command(cli: Cli, demo_database: Path, tmp_path: Path) -> None:
    fresh = str(tmp_path / "fresh.db")
    places = [demo_database.parents[1] / name for name in ("assistant", "larkfield", "order-service/memory")]
    cli(*map(str, places), "--workspace", fresh)
    assert [store["count"] for store in cli.json("stores", "--workspace", fresh)] == [0, 14, 11, 8]


# -- help


def test_help_names_every_command(bare: Cli) -> None:
    told = bare("--help").out
    for name in table.COMMANDS:
        assert (
            f"\n  {name.removesuffix(' list') if ' ' in name else name}" in told or f"memtui {name}" in told
        ), name
    assert max(map(len, told.splitlines())) <= 80
    assert told.isascii()
    for same in (["-h"], ["help"], ["nonsense", "--help"], ["--help", "nonsense"], ["help", "nonsense"]):
        assert bare(*same).out == told


@pytest.mark.parametrize("name", table.COMMANDS)
def test_every_command_has_help(bare: Cli, name: str) -> None:
    told = bare(*name.split(), "--help")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"usage: memtui {name}")
    assert table.COMMANDS[name].help in told.out
    assert bare("help", *name.split()).out == told.out
    assert bare("--help", *name.split()).out == told.out


def test_the_help_of_list_has_the_query_language(bare: Cli) -> None:
    from memtui.memory.query.language import FILTERS

    told = bare("list", "--help").out
    for spec in FILTERS.values():
        assert f"  {spec.name}:" in told
        assert all(value in told for value in spec.allowed)


def test_every_command_calls_something() -> None:
    import importlib

    for command in table.COMMANDS.values():
        module, _, name = command.calls.partition(":")
        assert callable(getattr(importlib.import_module(f"memtui.cli.{module}"), name))
