"""Nothing that is stored reaches a terminal as more than text, whatever the command (S-92)."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import apsw
import pytest

from memtui import cli
from memtui.cli.commands.stores import embed
from memtui.cli.parser.table import COMMANDS
from memtui.formats.mcp_memory import reader
from memtui.workspace.workspace import Workspace
from tests.support.command_line import ROOT, program
from tests.support.hostile import texts as hostile
from tests.support.hostile.texts import LONG, MARK, TEXTS
from tests.support.sizes import FULL, share, turn

Run = Callable[..., tuple[int, str]]
OUTPUTS = ["pipe", "terminal"]
TYPED = ("colour", "eight bit", "bidi", "halves")
CHANGES = {"acting": "".join(TEXTS[name] for name in TYPED[:3]), "halves": TEXTS["halves"]}
if FULL:
    CHANGES |= {name: TEXTS[name] for name in TYPED}


def in_turn(names: Iterable[str]) -> list[tuple[str, str]]:
    """Each name with one of the outputs, and all of them with each at full size."""
    return [(output, name) for number, name in enumerate(names) for output in turn(OUTPUTS, number, 2)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile.workspace(tmp_path_factory.mktemp("hostile"))


class Terminal(io.TextIOWrapper):
    """A standard output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(params=OUTPUTS)
def run(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Run:
    """Run a command on the hostile workspace; what it printed has been looked at."""
    monkeypatch.chdir(tmp_path)  # a hostile name may name a new workspace
    # The file of the MCP server is torn; tests/formats waits for it to come to rest.
    monkeypatch.setattr(reader, "SETTLED_AFTER", -1.0)
    monkeypatch.setattr(embed, "FEW", 0)  # no model is loaded, and no progress drawn

    def command(*words: str, put: bytes = b"") -> tuple[int, str]:
        kind = Terminal if request.param == "terminal" else io.TextIOWrapper
        out, err = io.BytesIO(), io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(put), "utf-8"))
        monkeypatch.setattr(sys, "stdout", kind(out, "utf-8", write_through=True))
        monkeypatch.setattr(sys, "stderr", kind(err, "utf-8", write_through=True))
        code = cli.run(["--workspace", str(made), *words])
        told, noted = out.getvalue().decode(), err.getvalue().decode()
        assert hostile.acts(told + noted) == set(), (words, code)
        assert "did not foresee" not in told + noted
        if "--json" in words:
            assert told.isascii()
            json.loads(told)
        return code, told + noted

    return command


def uids(made: Path) -> list[str]:
    workspace = Workspace.open(made)
    try:
        return [memory.uid for memory in workspace.memories(workspace.search("", live=False).ids)]
    finally:
        workspace.close()


def test_the_sweep_sees_what_it_looks_for() -> None:
    tame = {"markup", "markdown", "right to left", "emoji", "wide"}
    assert {name for name, text in TEXTS.items() if hostile.acts(text)} == set(TEXTS) - tame


def test_the_workspace_holds_what_it_should(made: Path) -> None:
    workspace = Workspace.open(made)
    memories = workspace.memories(workspace.search("", live=False).ids)
    workspace.close()
    for field in (
        "content",
        "title",
        "category",
        "key",
        "subject",
        "owner",
        "note",
        "source_ref",
        "pinned_why",
        "uid",
    ):
        assert any("\x1b[31;7" in str(getattr(memory, field)) or field == "uid" for memory in memories), field
    for store in ("native", "founder", "claude", "mcp"):
        contents = [memory.content for memory in memories if memory.store.startswith(store)]
        assert len(contents) > 15
        assert any("\x1b]52;c;" in text for text in contents)
        assert any("\u202e" in text for text in contents)
    assert sum(len(memory.content) == len(LONG) for memory in memories) >= 3


@pytest.mark.parametrize(("run", "sort"), in_turn(["newest", "title"]), indirect=["run"])
def test_list(run: Run, sort: str) -> None:
    code, told = run("list", "--sort", sort)
    assert code == 0
    assert MARK in told
    assert "␛[31;7" in told
    assert run("list", "--sort", sort, "--json")[0] == 0


def test_show_journal_and_stores(run: Run, made: Path) -> None:
    everything = uids(made)
    for uid in [*everything[:: 1 if FULL else 16], *(uid for uid in everything if uid.startswith("raw"))]:
        assert run("show", uid, "--read-only")[0] == 0  # without another look at the stores
    assert run("show", everything[0], "--json")[0] == 0
    assert "␛[31;7" in run("journal")[1]
    assert run("journal", "--json")[0] == 0
    assert "␛[31;7" in run("stores")[1]
    assert run("stores", "--json")[0] == 0


def test_markup_is_shown_as_it_stands(run: Run) -> None:
    assert "[@click=app.quit]" in run("list", "[@click=app.quit]")[1]


@pytest.mark.parametrize(("run", "name"), in_turn(CHANGES), indirect=["run"])
def test_every_change_and_its_undo(run: Run, name: str) -> None:
    """On one memory of each kind that holds this text."""
    text = CHANGES[name]
    found = json.loads(run("list", f'"{MARK}"', "--json")[1])
    stores = {memory["store"]: memory["uid"] for memory in found if memory["status"] != "dismissed"}
    chosen = list(stores.values())
    for words in (
        ["pin", "--why", text, *chosen],
        ["unpin", "--json", *chosen],
        ["confirm", *chosen],
        ["edit", f"--content={text} {name}", *chosen],
        ["undo"],
        ["redo", "--json"],
        ["edit", f"--title={text}", f"--category={text}", f"--tag=+{text}", chosen[0]],
        ["dismiss", *chosen],
        ["restore", "--json", *chosen],
        ["add", "--json", "--", text],
        ["undo", "--json"],
        ["undo"],
    ):
        assert run(*words)[0] == 0, words
    assert run("add", "-", put=(text + TEXTS["nul"]).encode("utf-8", "surrogatepass"))[0] == 0


@pytest.mark.parametrize(("run", "name"), in_turn(TEXTS), indirect=["run"])
def test_what_is_typed_comes_back_tame(run: Run, name: str) -> None:
    text = TEXTS[name]
    lines: list[list[str]] = [
        *([each, text] for each in COMMANDS if " " not in each and each != "demo"),
        ["stores", text],
        ["stores", "attach", text],
        ["stores", "attach", "/tmp", "--name", text],
        ["stores", "detach", text],
        [text],
        ["./" + text],
        ["--" + text],
        ["list", "--" + text],
        ["list", "--sort", text],
        ["list", "--limit", text],
        ["list", f"status:{text}"],
        ["list", f"{text}:x"],
        ["add", "x", "--store", text],
        ["--workspace", text, "list"],
        ["--workspace", "/dev/null/" + text, "list"],
        ["help", text],
    ]
    tried = turn(lines, list(TEXTS).index(name), 12)
    if [text] not in tried:  # a path may hold what no other word may
        tried.append([text])
    for words in tried:
        assert run(*words)[0] in (0, 1, 2)
        if words[0] != "help":
            assert run("--json", *words)[0] in (0, 1, 2)


def test_a_conflict(run: Run, made: Path) -> None:
    (uid,) = [m["uid"] for m in json.loads(run("list", "example", "store:founder*", "--json")[1])]
    theirs = TEXTS["clipboard"] + TEXTS["bidi"]
    key = f"{list(TEXTS).index('link')}{TEXTS['link']}"
    connection = apsw.Connection(str(next(made.parent.rglob("memory.db"))))
    connection.execute("UPDATE memories SET content = ? WHERE key = ?", (theirs, key))
    code, told = run("edit", uid, "--content", TEXTS["colour"])
    connection.execute("UPDATE memories SET content = ? WHERE key = ?", (TEXTS["link"], key))
    connection.close()
    assert code == 1
    assert "in the store now, content: ␛]52;c;" in told
    assert "to be written, content: ␛[31;7" in told


def test_the_program_itself(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # What each command prints is looked at above; here it is that the program prints it so.
    for words in share((["list"], ["list", "--json"], ["journal"], ["stores"]), 2):
        ran = program("--workspace", str(made), *words)
        assert ran.returncode == 0
        assert hostile.acts((ran.stdout + ran.stderr).decode()) == set()
