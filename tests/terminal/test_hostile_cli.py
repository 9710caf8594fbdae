"""Stored text never reaches a terminal as a control sequence, whatever the command (S-92)."""

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
from tests.support.command_line import ROOT, run_program
from tests.support.hostile import texts as hostile
from tests.support.hostile.texts import LONG, MARK, TEXTS
from tests.support.sizes import FULL, sample_cases, shard

Run = Callable[..., tuple[int, str]]
OUTPUTS = ["pipe", "terminal"]
CHANGED_TEXTS = ("colour", "eight bit", "bidi", "surrogates")
CHANGES = {"acting": "".join(TEXTS[name] for name in CHANGED_TEXTS[:3]), "surrogates": TEXTS["surrogates"]}
if FULL:
    CHANGES |= {name: TEXTS[name] for name in CHANGED_TEXTS}


def with_outputs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pair each name with one of the outputs, at full size with all of them."""
    return [(output, name) for number, name in enumerate(names) for output in shard(OUTPUTS, number, 2)]


@pytest.fixture(scope="module")
def workspace_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile.make_workspace(tmp_path_factory.mktemp("hostile"))


class Terminal(io.TextIOWrapper):
    """A standard output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(params=OUTPUTS)
def run(
    workspace_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Run:
    """Return a function that runs a command on the hostile workspace and checks its output."""
    monkeypatch.chdir(tmp_path)  # a hostile name may name a new workspace
    # The file of the MCP server has a torn line; without this, each read would wait for it to settle.
    monkeypatch.setattr(reader, "SETTLED_AFTER", -1.0)
    monkeypatch.setattr(embed, "FEW", 0)  # no model is loaded, and no progress drawn

    def command(*words: str, stdin: bytes = b"") -> tuple[int, str]:
        kind = Terminal if request.param == "terminal" else io.TextIOWrapper
        out, err = io.BytesIO(), io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        monkeypatch.setattr(sys, "stdout", kind(out, "utf-8", write_through=True))
        monkeypatch.setattr(sys, "stderr", kind(err, "utf-8", write_through=True))
        code = cli.run(["--workspace", str(workspace_path), *words])
        printed, notes = out.getvalue().decode(), err.getvalue().decode()
        # What is exported to a file or another program keeps the joins of Persian and Indic words.
        kept = {"\u200c"} if words[:1] == ("export",) and request.param == "pipe" else set()
        assert hostile.unsafe_characters(printed + notes) - kept == set(), (words, code)
        assert "Unexpected error" not in printed + notes
        if "--json" in words:
            assert printed.isascii()
            json.loads(printed)
        return code, printed + notes

    return command


def uids(workspace_path: Path) -> list[str]:
    workspace = Workspace.open(workspace_path)
    try:
        return [memory.uid for memory in workspace.memories(workspace.search("", live=False).ids)]
    finally:
        workspace.close()


def test_unsafe_characters_finds_every_hostile_text() -> None:
    tame = {"markup", "markdown", "right to left", "emoji", "wide"}
    assert {name for name, text in TEXTS.items() if hostile.unsafe_characters(text)} == set(TEXTS) - tame


def test_the_workspace_has_hostile_text_in_every_field(workspace_path: Path) -> None:
    workspace = Workspace.open(workspace_path)
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


@pytest.mark.parametrize(("run", "sort"), with_outputs(["newest", "title"]), indirect=["run"])
def test_list(run: Run, sort: str) -> None:
    code, output = run("list", "--sort", sort)
    assert code == 0
    assert MARK in output
    assert "␛[31;7" in output
    assert run("list", "--sort", sort, "--json")[0] == 0


def test_show_journal_and_stores(run: Run, workspace_path: Path) -> None:
    all_uids = uids(workspace_path)
    for uid in [*all_uids[:: 1 if FULL else 16], *(uid for uid in all_uids if uid.startswith("raw"))]:
        assert run("show", uid, "--read-only")[0] == 0  # without another pull
    assert run("show", all_uids[0], "--json")[0] == 0
    assert "␛[31;7" in run("journal")[1]
    assert run("journal", "--json")[0] == 0
    assert "␛[31;7" in run("stores")[1]
    assert run("stores", "--json")[0] == 0


def test_markup_is_printed_literally(run: Run) -> None:
    assert "[@click=app.quit]" in run("list", "[@click=app.quit]")[1]


@pytest.mark.parametrize(("run", "name"), with_outputs(CHANGES), indirect=["run"])
def test_every_change_and_its_undo(run: Run, name: str) -> None:
    """On one memory of each store that contains the text."""
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
    assert run("add", "-", stdin=(text + TEXTS["nul"]).encode("utf-8", "surrogatepass"))[0] == 0


@pytest.mark.parametrize(("run", "name"), with_outputs(TEXTS), indirect=["run"])
def test_hostile_arguments_are_printed_safely(run: Run, name: str) -> None:
    text = TEXTS[name]
    lines: list[list[str]] = [
        *(
            [each, text] for each in COMMANDS if " " not in each and each not in ("demo", "hook")
        ),  # it ends its process
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
    chosen = shard(lines, list(TEXTS).index(name), 12)
    if [text] not in chosen:  # a path may contain characters that no other argument may
        chosen.append([text])
    for words in chosen:
        assert run(*words)[0] in (0, 1, 2)
        if words[0] != "help":
            assert run("--json", *words)[0] in (0, 1, 2)


def test_a_conflict(run: Run, workspace_path: Path) -> None:
    (uid,) = [m["uid"] for m in json.loads(run("list", "example", "store:founder*", "--json")[1])]
    by_agent = TEXTS["clipboard"] + TEXTS["bidi"]
    key = f"{list(TEXTS).index('link')}{TEXTS['link']}"
    connection = apsw.Connection(str(next(workspace_path.parent.rglob("memory.db"))))
    connection.execute("UPDATE memories SET content = ? WHERE key = ?", (by_agent, key))
    code, output = run("edit", uid, "--content", TEXTS["colour"])
    connection.execute("UPDATE memories SET content = ? WHERE key = ?", (TEXTS["link"], key))
    connection.close()
    assert code == 1
    assert "content (in the store): ␛]52;c;" in output
    assert "content (yours): ␛[31;7" in output


def test_the_program_prints_safely(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # The commands are covered above; this covers the program's own streams.
    for words in sample_cases((["list"], ["list", "--json"], ["journal"], ["stores"]), 1):
        result = run_program("--workspace", str(workspace_path), *words)
        assert result.returncode == 0
        assert hostile.unsafe_characters((result.stdout + result.stderr).decode()) == set()


@pytest.mark.parametrize("run", ["terminal"], indirect=True)
def test_what_an_agent_sees(run: Run) -> None:
    """In a pipe it is the exact text; on a terminal it cannot act."""
    for agent in ("claude-code", "founder-os"):
        code, output = run("see", agent)
        assert code == 0
        assert MARK in output
        assert run("see", agent, "--json")[0] == 0
