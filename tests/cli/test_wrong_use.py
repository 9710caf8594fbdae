"""Wrong use is exit 2, a refusal exit 1; both say what to do, neither is a traceback (S-82, S-90)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cli.parser import argv, table
from memtui.cli.runtime import errors
from memtui.errors import Usage
from memtui.text import is_clean
from memtui.workspace.workspace import Workspace
from tests.support.command_line import Cli
from tests.support.sizes import examples

WRONG = [
    (["--bogus"], "there is no option --bogus"),
    (["list", "--bogus"], "there is no option --bogus"),
    (["pin", "-x", "abc"], "there is no option -x"),
    (["--bogus", "list"], "there is no option --bogus"),
    (["./here", "--bogus=1"], "there is no option --bogus"),
    (["show"], "UID"),
    (["pin"], "UID"),
    (["show", "a", "b"], "b"),
    (["stores", "attach"], "PATH"),
    (["stores", "detach"], "NAME"),
    (
        ["stores", "fly"],
        "there is no command stores fly: it is attach, create, list, detach, discover, rename or read-only",
    ),
    (["list", "--limit"], "--limit"),
    (["list", "--limit", "many"], "many is no number from 1 to 1,000,000,000"),
    (["list", "--limit", "0"], "0 is no number"),
    (["list", "--limit", "-1"], "-1 is no number"),
    (["list", "--limit", "9" * 30], "is no number"),
    (["list", "--sort", "size"], "size"),
    (["journal", "--limit", ""], "is no number"),
    (["undo", "newest"], "newest is no number"),
    (["undo", "9" * 30], "is no number"),
    (["edit"], "UID"),
    (["edit", "abc"], "nothing to change"),
    (["edit", "-", "--content", "-"], "standard input"),
    (["add"], "give the memory's text once"),
    (["add", "one", "--content", "two"], "give the memory's text once"),
    (["add", "one", "two"], "two"),
    (["redo", "now"], "now"),
    (["pin", "-"], "no uid on standard input"),
    (["--workspace"], "--workspace needs a path"),
    (["list", "--workspace"], "--workspace needs a path"),
    (["--workspace=", "list"], "--workspace needs a path"),
    (["--workspace", "", "list"], "--workspace needs a path"),
    (["--workspace", "--json", "list"], "--workspace needs a path"),
]


@pytest.mark.parametrize(
    ("words", "told"), WRONG, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_wrong_use(bare: Cli, words: list[str], told: str) -> None:
    if "--json" not in words:
        ran = bare(*words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("memtui")
        assert told.removeprefix("nothing to change") in ran.err
    ran = bare("--json", *words)
    assert (ran.code, ran.err) == (2, "")
    assert ran.error["code"] == "usage"
    assert told in ran.error["message"]


def test_a_filter_that_does_not_exist(cli: Cli) -> None:
    ran = cli("list", "coffee colour:blue", "--json")
    assert ran.code == 1
    assert ran.error["code"] == "query"
    assert ran.error["message"].startswith("There is no filter colour:. Filters are store:, owner:, ")
    assert (ran.error["start"], ran.error["end"]) == (7, 14)
    ran = cli("list", "coffee", "colour:blue")
    assert (ran.code, ran.out) == (1, "")
    assert "There is no filter colour:." in ran.err


def test_a_value_that_does_not_exist(cli: Cli) -> None:
    ran = cli("list", "status:pinned", "--json")
    assert (ran.code, ran.error["code"]) == (1, "query")
    assert "Allowed are candidate, pending, confirmed" in ran.error["message"]
    assert ran.error["hint"] == "Did you mean is:pinned?"


@pytest.mark.parametrize("word", ["lsit", "no-such-folder", "dir/no", "./list", "../list"])
def test_a_path_that_is_not_there(bare: Cli, word: str) -> None:
    ran = bare(word, "--json")
    assert (ran.code, ran.error["code"]) == (1, "missing")
    assert ran.error["message"].startswith("There is nothing at /")


@pytest.mark.parametrize("words", [[""], ["stores", "attach", ""]])
def test_an_empty_path_names_nothing(bare: Cli, words: list[str]) -> None:
    ran = bare("--json", *words)
    assert (ran.code, ran.error["code"]) == (1, "path")
    assert ran.error["message"] == "An empty path names nothing."


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
    """A folder named after it would hold its password (S-107)."""
    if words == ["list"]:
        monkeypatch.setenv("MEMTUI_WORKSPACE", URL)
    ran = bare(*words)
    assert ran.code == 1
    assert "memtui cannot open postgresql:// URLs" in ran.err
    assert "hunter2" not in ran.out + ran.err
    assert list(here.iterdir()) == []


def test_a_misspelt_command_is_guessed(bare: Cli) -> None:
    hint = bare("--json", "lsit").error["hint"]
    assert hint == "lsit is no command either. Did you mean memtui list? memtui --help lists them."
    assert "Did you mean" not in bare("--json", "qqqq").error["hint"]


def test_the_screen_needs_a_terminal(cli: Cli) -> None:
    for words in ([], ["demo"], [str(Path.cwd().parent / "office" / "assistant")]):
        ran = cli("--json", *words)
        assert (ran.code, ran.error["code"]) == (1, "no-terminal")


@pytest.mark.parametrize(
    ("made", "code"),
    [("text", "damaged"), ("database", "not-a-workspace"), ("below a file", "")],
)
def test_a_workspace_that_is_none(bare: Cli, tmp_path: Path, made: str, code: str) -> None:
    path = tmp_path / "place"
    if made == "text":
        path.write_text("shopping list, long enough to be read as a header\n" * 40)
    elif made == "database":
        import apsw

        connection = apsw.Connection(str(path))
        connection.execute("CREATE TABLE t (a)")
        connection.close()
    else:
        path.write_text("")
        path = path / "workspace.db"
    before = path.read_bytes() if path.is_file() else b""
    ran = bare("list", "--json", "--workspace", str(path))
    assert (ran.code, code) in ((1, ran.error["code"]), (1, ""))
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_busy_workspace_is_read_and_not_written(
    cli: Cli, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.workspace.db import database

    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    opened._ctx.db.run("UPDATE stores SET stamp = ''")  # there is something to take in
    with opened._ctx.db.atomic():
        opened._ctx.db.run("UPDATE stores SET error = error")
        ran = cli("list", "db-2")
        assert ran.code == 0
        assert "The staging host is db-2" in ran.out
        assert "shown as last read" in ran.err
        ran = cli("add", "x", "--json")
        assert (ran.code, ran.error["code"]) == (1, "busy")
        assert ran.error["hint"]
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
def test_what_nobody_foresaw_is_told_in_words(error: Exception, code: str) -> None:
    told = errors.told(error)
    assert told.code == code
    assert told.message.endswith(".") == (code != "internal")
    assert told.hint


def test_an_unforeseen_failure_is_no_traceback(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def surprise(*_: Any, **__: Any) -> Any:
        raise KeyError("surprise")

    monkeypatch.setattr(Workspace, "search", surprise)
    ran = cli("list", "--json")
    assert (ran.code, ran.error["code"]) == (1, "internal")
    monkeypatch.setenv("MEMTUI_DEBUG", "1")
    with pytest.raises(KeyError):
        cli("list")


def test_an_interrupt_is_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
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
@given(words=st.lists(WORDS, max_size=6), put=st.binary(max_size=20))
def test_no_command_line_is_a_traceback(cli: Cli, words: list[str], put: bytes) -> None:
    ran = cli(*words, put=put)
    assert ran.code in (0, 1, 2)
    shown = ran.out + ran.err
    assert is_clean(shown)
    assert "did not foresee" not in shown
    if ran.code:
        assert ran.err if "--json" not in words else shown
    if ran.code == 2:
        assert "memtui" in shown


@examples(300)
@given(words=st.lists(WORDS, max_size=8))
def test_reading_a_command_line_gives_a_command_or_says_why_not(words: list[str]) -> None:
    told = ""
    try:
        told = str(argv.parse(words).command)
    except Usage as usage:
        told = usage.text
    except SystemExit as end:  # --help
        told = f"memtui:{end.code}"
    assert told.startswith("memtui") or ":" in told
