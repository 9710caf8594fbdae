"""No secret reaches a terminal, a program or a file that is not asked for it (S-62)."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.support.command_line import ROOT, Cli
from tests.support.pty_terminal import SEQUENCE, Terminal
from tests.support.secret_texts.tokens import BASE62, some
from tests.support.sizes import sample_cases, shard
from tests.support.stores.claude_code import flat
from tests.support.stores.mcp_memory import entity, lines, relation

PART = 10  # characters of a token that must not be seen together


class Planted:
    """Tokens made at run time, one for each place."""

    def __init__(self) -> None:
        self._random = Random()
        self.tokens: list[str] = []
        self.own: list[str] = []  # those in the fields of one memory

    def new(self) -> str:
        self.tokens.append(f"ghp_{some(self._random, BASE62, 36)}")
        return self.tokens[-1]

    def seen_in(self, text: str) -> list[str]:
        """Return the parts of tokens that are in a text, however its lines are broken."""
        joined = re.sub(r"[\s│┃]+", "", SEQUENCE.sub("", text)).lower()
        parts = (each[at : at + PART].lower() for each in self.tokens for at in range(4, len(each) - PART))
        return [part for part in parts if part in joined]


@pytest.fixture
def planted() -> Planted:
    return Planted()


@pytest.fixture
def cli(
    tmp_path: Path, planted: Planted, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Cli:
    """The command line on a workspace whose stores have a token in every field that they have."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(tmp_path / "w.db"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    new = planted.new
    graph = tmp_path / "memory.jsonl"
    graph.write_text(
        "\n".join(
            lines(
                entity(f"Deploy {new()}", f"uses {new()}", f"still uses {new()}", kind=f"host {new()}"),
                entity("Bo", "likes tea"),
                relation("Bo", f"knows {new()}", f"Deploy {planted.tokens[0]}"),
            )
        )
    )
    folder = tmp_path / ".claude/projects/-x/memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(f"# Index\n\n- [Keys {new()}](keys.md) — {new()}\n- A line {new()}\n")
    (folder / "keys.md").write_text(flat(f"keys {new()}", "reference", "x " * 148 + new(), f"about {new()}"))
    run = Cli(capsys, monkeypatch)
    for path in (graph, folder):
        assert run("stores", "attach", str(path)).code == 0
    before = len(planted.tokens)
    fields = ("title", "category", "tag", "key", "subject", "note", "source")
    added = run(
        "add", f"Text {new()}", *(word for name in fields for word in (f"--{name}", f"{name} {new()}"))
    )
    assert added.code == 0, added.err
    planted.own = planted.tokens[before:]
    uid = run.json("list", "Text")[0]["uid"]
    assert run("edit", uid, "--content", f"Text {new()} and {planted.own[1]}").code == 0
    assert run("pin", uid, "--why", f"since {new()}").code == 0
    for side in ("The release is on Monday", "The release is on Friday"):
        assert run("add", f"{side}, with {new()}", "--subject", "Release").code == 0
    assert run("contradictions", "scan").code == 0
    return run


READING = [
    *(
        "list",
        "list --group entity",
        "search Text --explain --facets",
        "export --all",
        "export --as json --all",
    ),
    *("export --as csv --all", "export --as markdown --all", "export --as xml --all", "report -o -"),
    *("graph {uid} --hops 2", "clusters", "journal", "since", "stats", "decay preview --days 900", "inbox"),
    *("secrets list", "contradictions list", "duplicates list", "contradictions show 1", "stores list"),
    *("doctor", "see claude-code", "saved list", "replace Text Words", "show {uid}", "split {uid} --dry-run"),
]


def test_no_command_prints_a_secret_in_text_or_json(cli: Cli, planted: Planted) -> None:
    uids = [memory["uid"] for memory in cli.json("list")]
    for words in READING:
        for number, uid in enumerate(uids):
            if number and "{uid}" not in words:
                break
            forms: list[list[str]] = [[], ["--json"]]
            for form in shard(forms, number, 2) if "{uid}" in words else forms:
                found = cli(*form, *words.format(uid=uid).split())
                assert not planted.seen_in(found.out + found.err), words
    shown = cli("list")
    assert "secrets are masked; --reveal shows them." in shown.err
    edits = [cli("edit", uid, "--content", f"Use {'•' * 40}") for uid in uids]
    assert {each.code for each in (*edits, cli("add", f"Use {'•' * 40}"))} == {1}


def test_reveal_prints_them_and_an_export_comes_back_as_it_was(
    cli: Cli, planted: Planted, tmp_path: Path
) -> None:
    together = ""
    for uid in (memory["uid"] for memory in cli.json("list")):
        together += cli("show", uid, "--reveal", "--json").out
    assert not [each for each in planted.own if each.lower() not in together.lower()]
    assert planted.seen_in(cli("list", "--reveal").out)
    assert planted.seen_in(cli("search", "Text", "--reveal").out)
    assert planted.seen_in(cli("see", "claude-code", "--reveal").out)
    before = {each["content"] for each in json.loads(cli("list", "--json", "--reveal").out)}
    masked, whole = tmp_path / "masked.jsonl", tmp_path / "whole.jsonl"
    for file, more in ((masked, []), (whole, ["--reveal"])):
        assert cli("export", "--as", "jsonl", "--all", "-o", str(file), *more).code == 0
    assert not planted.seen_in(masked.read_text("utf-8"))
    other = ("--workspace", str(tmp_path / "other.db"))
    refused = cli.json(*other, "import", str(masked))
    assert {each["verdict"] for each in refused["items"]} == {"refused"}
    assert cli(*other, "import", str(whole), "--yes").code == 0
    with_flagged = cli.json(*other, "import", str(whole))
    assert not planted.seen_in(json.dumps(with_flagged))
    assert before >= {each["content"] for each in json.loads(cli(*other, "list", "--json", "--reveal").out)}


KEYS = {"esc": "\x1b", "enter": "\r", "del": "\x1b[3~", "tab": "\t"}
# Every screen, and the dialogs that show stored texts.
WALK = [
    *(
        "j j G i enter esc = = esc g y e esc esc | esc esc t esc P esc Y esc O esc x esc f esc",
        "% Text tab Word tab",
    ),
    *("enter esc esc X esc del esc / ghp enter esc / category: tab esc esc", "3 j enter esc m esc esc"),
    *("4 l l L / De esc", "5 j enter esc", "7 j enter esc", "8 j enter v esc 1"),
]


def _walk(terminal: Terminal) -> Iterator[str]:
    """Open every screen and the dialogs that show stored texts."""
    terminal.wait("Memories")
    for words in WALK:
        for key in words.split(" "):
            keys = KEYS.get(key, key)
            terminal.press(keys)
            yield keys


@pytest.mark.parametrize("size", sample_cases([(80, 24), (160, 50)], 1))
def test_no_screen_or_dialog_shows_a_secret(
    cli: Cli, planted: Planted, tmp_path: Path, size: tuple[int, int]
) -> None:
    names = ("PATH", "LANG", "VIRTUAL_ENV", "MEMTUI_WORKSPACE", "XDG_CONFIG_HOME", "HOME")
    env = {name: os.environ[name] for name in names if name in os.environ}
    env |= {"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "SSH_TTY": "/dev/null"}
    with Terminal([sys.executable, "-m", "memtui"], size, env) as terminal:
        seen: dict[str, list[str]] = {}
        for keys in _walk(terminal):
            _settle(terminal)
            if found := planted.seen_in(terminal.screen):
                seen[f"{keys!r}\n{terminal.screen}"] = found
        assert not seen, "\n".join(seen)
        terminal.press("1gG")
        _settle(terminal)
        for _ in range(4):
            terminal.press(".")
            _settle(terminal)
            if planted.seen_in(terminal.screen):
                break
            terminal.press("k")
        assert planted.seen_in(terminal.screen)
        terminal.press("k")
        terminal.wait(lambda screen: not planted.seen_in(screen))


def _settle(terminal: Terminal) -> None:
    """Read until the program has been quiet for a moment."""
    quiet = 0
    while quiet < 8:
        quiet = 0 if terminal._read() else quiet + 1
