"""Usage errors exit with 2, refusals with 1; both say what to do, and there is never a traceback (S-82,
S-90)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cli.parser import argv, table
from memtui.cli.parser.parser import Parser
from memtui.cli.runtime import errors
from memtui.errors import UsageError
from memtui.text import is_clean
from memtui.workspace.workspace import Workspace
from tests.support.command_line import Cli
from tests.support.sizes import examples

USAGE_ERRORS = [
    (["--bogus"], "unknown option '--bogus'"),
    (["list", "--bogus"], "unknown option '--bogus'"),
    (["pin", "-x", "abc"], "unknown option '-x'"),
    (["--bogus", "list"], "unknown option '--bogus'"),
    (["./here", "--bogus=1"], "unknown option '--bogus'"),
    (["show"], "UID"),
    (["pin"], "UID"),
    (["show", "a", "b"], "b"),
    (["stores", "attach"], "PATH"),
    (["stores", "detach"], "NAME"),
    (
        ["stores", "fly"],
        "unknown command 'stores fly': use list, attach, create, detach, discover, rename or read-only",
    ),
    (["list", "--limit"], "--limit"),
    (["list", "--limit", "many"], "'many' is not a whole number from 1 to 1,000,000,000"),
    (["list", "--limit", "0"], "'0' is not a whole number"),
    (["list", "--limit", "-1"], "'-1' is not a whole number"),
    (["list", "--limit", "9" * 30], "is not a whole number"),
    (["list", "--sort", "size"], "size"),
    (["journal", "--limit", ""], "is not a whole number"),
    (["undo", "newest"], "'newest' is not a whole number"),
    (["undo", "9" * 30], "is not a whole number"),
    (["edit"], "UID"),
    (["edit", "abc"], "nothing to change"),
    (["edit", "-", "--content", "-"], "standard input"),
    (["add"], "specify the text once"),
    (["add", "one", "--content", "two"], "specify the text once"),
    (["add", "one", "two"], "two"),
    (["redo", "now"], "now"),
    (["pin", "-"], "no uids on standard input"),
    (["--workspace"], "--workspace requires a path"),
    (["list", "--workspace"], "--workspace requires a path"),
    (["--workspace=", "list"], "--workspace requires a path"),
    (["--workspace", "", "list"], "--workspace requires a path"),
    (["--workspace", "--json", "list"], "--workspace requires a path"),
]


@pytest.mark.parametrize(
    ("words", "message"), USAGE_ERRORS, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_usage_errors(bare: Cli, words: list[str], message: str) -> None:
    if "--json" not in words:
        result = bare(*words)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("memtui")
        assert message.removeprefix("nothing to change") in result.err
    result = bare("--json", *words)
    assert (result.code, result.err) == (2, "")
    assert result.error["code"] == "usage"
    assert message in result.error["message"]


def test_an_unknown_filter(cli: Cli) -> None:
    result = cli("list", "coffee colour:blue", "--json")
    assert result.code == 1
    assert result.error["code"] == "query"
    assert result.error["message"].startswith("Unknown filter “colour:”. Use one of: store:, owner:, ")
    assert (result.error["start"], result.error["end"]) == (7, 14)
    result = cli("list", "coffee", "colour:blue")
    assert (result.code, result.out) == (1, "")
    assert "Unknown filter “colour:”." in result.err


def test_an_unknown_value(cli: Cli) -> None:
    result = cli("list", "status:pinned", "--json")
    assert (result.code, result.error["code"]) == (1, "query")
    assert "Use one of: candidate, pending, confirmed" in result.error["message"]
    assert result.error["hint"] == "Did you mean is:pinned?"


@pytest.mark.parametrize("word", ["dir/no", "./list", "../list"])
def test_a_missing_path(bare: Cli, word: str) -> None:
    result = bare(word, "--json")
    assert (result.code, result.error["code"]) == (1, "missing")
    assert re.fullmatch(r"/.* does not exist\.", result.error["message"])


@pytest.mark.parametrize("words", [[""], ["stores", "attach", ""]])
def test_an_empty_path_names_nothing(bare: Cli, words: list[str]) -> None:
    result = bare("--json", *words)
    assert (result.code, result.error["code"]) == (1, "path")
    assert result.error["message"] == "The path is empty."


URL = "postgresql://ana:hunter2@db.example/memories"


@pytest.mark.parametrize(
    "words",
    [
        ["--workspace", URL, "list"],
        ["list", f"--workspace={URL}"],
        ["--workspace", URL, "doctor", "--salvage", "new.db"],
        ["doctor", "--salvage", URL],
        ["list"],
        ["stores", "attach", URL],
        ["stores", "create", "cognitive", URL],
        [URL],
    ],
    ids=" ".join,
)
def test_a_url_is_never_a_path(
    bare: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A folder named after the URL would contain its password (S-107)."""
    if words == ["list"]:
        monkeypatch.setenv("MEMTUI_WORKSPACE", URL)
    result = bare(*words)
    assert result.code == 1
    assert "Can't open postgresql:// URLs" in result.err
    assert "hunter2" not in result.out + result.err
    assert list(here.iterdir()) == []


HINT = "\nmemtui --help lists the commands.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["serch", "tea"], "'serch' is neither a command nor an existing path. Did you mean 'search'?"),
        (["stroes", "list"], "'stroes' is neither a command nor an existing path. Did you mean 'stores'?"),
        (
            ["attach", "x"],
            "'attach' is neither a command nor an existing path. Did you mean 'stores attach'?",
        ),
        (["qqqq"], "'qqqq' is neither a command nor an existing path"),
        (["help", "serach"], "unknown command 'serach'. Did you mean 'search'?"),
        (["help", "qqqq"], "unknown command 'qqqq'"),
    ],
)
def test_a_misspelt_command_is_wrong_usage(bare: Cli, words: list[str], message: str) -> None:
    result = bare(*words)
    assert (result.code, result.out, result.err) == (2, "", f"memtui: {message}{HINT}")
    assert (bare("--json", *words).error["code"]) == "usage"
    assert not Path(os.environ["MEMTUI_WORKSPACE"]).exists()


@pytest.mark.parametrize(
    "words",
    [
        ["list", "--sort", "si\nze"],
        ["list", "--limit", "1\n2"],
        ["list", "--lim\nit"],
        ["stores", "list", "one\ntwo"],
        ["stores", "fly\naway"],
        ["help", "a\nb"],
        ["a\nb"],
        ["list", "--sort", "x" * 500],
        ["stores", "list", *(["word"] * 200)],
        ["list", f"--{'x' * 500}"],
        ["y" * 500],
        ["edit-relation", "a"],
    ],
    ids=lambda words: " ".join(words)[:20],
)
def test_a_usage_error_is_short(bare: Cli, words: list[str]) -> None:
    result = bare(*words)
    lines = result.err.splitlines()
    assert (result.code, len(lines) <= 2) == (2, True), result.err
    assert max(map(len, lines)) < 240
    assert "\n" not in bare("--json", *words).error["message"]


def test_only_what_was_typed_is_repeated(bare: Cli) -> None:
    lines = bare("stores", "list", "foo").err.splitlines()
    assert lines == ["memtui stores list: unrecognized arguments: foo", "Usage: memtui stores list [OPTIONS]"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["list", "--lmit", "3"], "memtui list: unknown option '--lmit'. Did you mean '--limit'?"),
        (["search", "--saevd"], "memtui search: unknown option '--saevd'. Did you mean '--saved'?"),
        (["--jsn"], "memtui: unknown option '--jsn'. Did you mean '--json'?"),
        (["show", "--read-olny"], "memtui show: unknown option '--read-olny'. Did you mean '--read-only'?"),
        (["list", "--zzzz"], "memtui list: unknown option '--zzzz'"),
        (
            ["stores", "atach"],
            "memtui: unknown command 'stores atach'. Did you mean 'stores attach' or 'stores detach'?",
        ),
        (["eval", "retreival"], "memtui: unknown command 'eval retreival'. Did you mean 'eval retrieval'?"),
    ],
)
def test_a_misspelt_option_gets_a_suggestion(bare: Cli, words: list[str], line: str) -> None:
    result = bare(*words)
    assert (result.code, result.err.splitlines()[0]) == (2, line)
    assert bare("--json", *words).error["message"] == line.partition(": ")[2]


def test_the_screen_needs_a_terminal(cli: Cli) -> None:
    for words in ([], ["demo"], [str(Path.cwd().parent / "office" / "assistant")]):
        result = cli("--json", *words)
        assert (result.code, result.error["code"]) == (1, "no-terminal")


@pytest.mark.parametrize(
    ("kind", "code"),
    [("text", "damaged"), ("database", "not-a-workspace"), ("below a file", "")],
)
def test_a_file_that_is_no_workspace(bare: Cli, tmp_path: Path, kind: str, code: str) -> None:
    path = tmp_path / "file"
    if kind == "text":
        path.write_text("shopping list, long enough to be read as a header\n" * 40)
    elif kind == "database":
        import apsw

        connection = apsw.Connection(str(path))
        connection.execute("CREATE TABLE t (a)")
        connection.close()
    else:
        path.write_text("")
        path = path / "workspace.db"
    before = path.read_bytes() if path.is_file() else b""
    result = bare("list", "--json", "--workspace", str(path))
    assert (result.code, code) in ((1, result.error["code"]), (1, ""))
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_busy_workspace_can_be_read_but_not_written(
    cli: Cli, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.workspace.db import database

    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    opened._ctx.db.run("UPDATE stores SET stamp = ''")  # so that there is something to pull
    with opened._ctx.db.atomic():
        opened._ctx.db.run("UPDATE stores SET error = error")
        result = cli("list", "db-2")
        assert result.code == 0
        assert "The staging host is db-2" in result.out
        assert "showing what was last read" in result.err
        result = cli("add", "x", "--json")
        assert (result.code, result.error["code"]) == (1, "busy")
        assert result.error["hint"]
    assert cli("add", "x").code == 0


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(28, "No space left on device", "/x"), "io"),
        (apsw.BusyError("database is locked"), "busy"),
        (apsw.FullError("database or disk is full"), "full"),
        (apsw.CorruptError("database disk image is malformed"), "damaged"),
        (KeyError("surprise"), "internal"),
        (RecursionError(), "internal"),
    ],
)
def test_unforeseen_errors_become_refusals(error: Exception, code: str) -> None:
    refusal = errors.refusal_of(error)
    assert refusal.code == code
    assert refusal.message.endswith(".") == (code != "internal")
    assert refusal.hint


def test_an_internal_error_has_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def surprise(*_: Any, **__: Any) -> Any:
        raise KeyError("surprise")

    monkeypatch.setattr(Workspace, "search", surprise)
    result = cli("list", "--json")
    assert (result.code, result.error["code"]) == (1, "internal")
    monkeypatch.setenv("MEMTUI_DEBUG", "1")
    with pytest.raises(KeyError):
        cli("list")


def test_an_interrupt_exits_with_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "search", interrupted)
    assert cli("list").code == 130


WORDS = st.one_of(
    st.sampled_from(sorted({word for name in table.COMMANDS for word in name.split()} - {"demo"})),
    st.sampled_from(
        "help -h --help --version --json --read-only --limit --limit=2 --sort newest --tag --tag=+a -a + - "
        "-- --content --content=x --title --key --why --store native --name stores 1 0 -1 is:pinned status: "
        'tag:"a -"x" :'.split()
    ),
    st.text(st.characters(exclude_characters="\0"), max_size=8),
)


@examples(60)
@given(words=st.lists(WORDS, max_size=6), stdin=st.binary(max_size=20))
def test_no_command_line_causes_a_traceback(cli: Cli, words: list[str], stdin: bytes) -> None:
    result = cli(*words, stdin=stdin)
    assert result.code in (0, 1, 2)
    output = result.out + result.err
    assert is_clean(output)
    assert "Unexpected error" not in output
    if result.code:
        assert result.err if "--json" not in words else output
    if result.code == 2:
        assert "memtui" in output


@examples(300)
@given(words=st.lists(WORDS, max_size=8))
def test_any_command_line_parses_or_is_a_usage_error(words: list[str]) -> None:
    output = ""
    try:
        output = str(argv.parse(words).command)
    except UsageError as usage:
        output = usage.text
    except SystemExit as end:  # --help
        output = f"memtui:{end.code}"
    assert output.startswith("memtui") or ":" in output


def test_two_dashes_are_an_ordinary_value() -> None:
    parser = Parser()
    parser.add_argument("--title")
    parser.add_argument("--tag", action="append")
    parser.add_argument("uids", nargs="*")
    given = parser.parse_args(["--title=--", "--tag=--", "--tag=a", "--", "--uid"])
    assert (given.title, given.tag, given.uids) == ("--", ["--", "a"], ["--uid"])
