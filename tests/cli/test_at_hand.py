"""doctor, stores discover, stats, completion: what they print, and how they end (S-3, S-82, S-91)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from memtui.cli.parser import completion, options
from memtui.cli.parser.table import COMMANDS
from memtui.memory.query.language import FILTERS
from tests.support.command_line import FOUNDER, MCP, Cli
from tests.support.corruption import pages, spoil
from tests.support.stores import mcp_memory


@pytest.fixture(autouse=True)
def private(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """What is only odd about where tests run: that others may read it."""
    if "demo_database" in request.fixturenames:
        request.getfixturevalue("demo_database")
    for file in tmp_path.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)


# -- doctor


def test_all_is_well(cli: Cli) -> None:
    ran = cli("doctor")
    assert ran.code == 0
    assert ran.out.startswith("SQLite 3.")
    assert "Nothing is wrong." in ran.out
    told = cli.json("doctor")
    assert (told["verdict"], told["findings"], told["mended"]) == ("well", [], [])


def test_what_is_odd_is_told_with_what_follows(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "order-service" / "memory" / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    cli("list")
    ran = cli("doctor")
    assert ran.code == 0
    assert "1 odd thing; --fix mends 1." in ran.out
    assert "do not see this memory at session start" in ran.out
    assert "--fix adds its line to MEMORY.md" in ran.out
    assert "MEMORY.md, " not in ran.out.splitlines()[0]
    fixed = cli("doctor", "--fix")
    assert fixed.code == 0
    assert "Nothing is wrong." in fixed.out
    assert "Added a line for lonely.md" in fixed.out


def test_what_is_grave_ends_with_one(cli: Cli, demo_database: Path) -> None:
    (demo_database.parents[1] / "assistant" / "memory.jsonl").unlink()
    ran = cli("doctor")
    assert ran.code == 1
    assert f"GRAVE  {MCP}" in ran.out
    ran = cli("--json", "doctor")
    assert ran.code == 1
    assert ran.json["verdict"] == "grave"
    (grave,) = [each for each in ran.json["findings"] if each["grave"]]
    assert set(grave) == {"store", "code", "place", "words", "meaning", "mend", "grave"}


def test_hostile_names_do_not_reach_the_terminal(cli: Cli, demo_database: Path) -> None:
    file = demo_database.parents[1] / "assistant" / "memory.jsonl"
    relation = {"type": "relation", "from": "\x1b]52;c;x\x07", "to": "[/red]", "relationType": "knows"}
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(relation), "utf-8")
    ran = cli("doctor")
    assert "\x1b" not in ran.out
    assert "[/red]" in ran.out


def test_a_damaged_workspace_is_saved_though_it_may_not_open(
    cli: Cli, demo_database: Path, tmp_path: Path
) -> None:
    before = {each["content"] for each in cli.json("list")}
    spoil(demo_database, pages(demo_database, "memories")[1])
    ran = cli("doctor")
    assert ran.code == 1
    assert "--salvage NEW" in ran.out
    damaged = demo_database.read_bytes()
    refused = cli("add", "No.")
    assert refused.code == 1
    assert "--salvage" in refused.err
    target = tmp_path / "saved" / "w.db"
    told = cli.json("doctor", "--salvage", str(target))
    assert set(told) == {"target", "saved", "lost", "words"}
    assert told["lost"]["memories"] > 0
    assert demo_database.read_bytes() == damaged
    now = cli.json("list", "--workspace", str(target))
    assert {each["content"] for each in now} == before
    again = cli("doctor", "--salvage", str(target))
    assert again.code == 1
    assert "is there already" in again.err
    demo_database.write_bytes(b"\0" * 60 + damaged[60:])
    assert cli("list").code == 1
    ran = cli("doctor", "--salvage", str(tmp_path / "second.db"))
    assert ran.code == 0
    assert "Saved into" in ran.out


# -- stores discover


def test_discover_lists_what_is_not_attached_and_how_to_attach_it(
    cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(disk_path))  # nothing below /dev, where memory disks are, is discovered
    store = mcp_memory.make(disk_path / "memory.json").root
    before = store.read_bytes()
    ran = cli("stores", "discover")
    assert ran.out.rstrip("\n").split("\t")[:3] == ["MCP memory server", "6", str(store)]
    assert f"memtui stores attach {store}" in ran.err
    (found,) = cli.json("stores", "discover")
    assert found == {
        "format": "mcp-memory",
        "title": "MCP memory server",
        "path": str(store),
        "count": 6,
        "trouble": "",
    }
    assert len(cli.json("stores")) == 4
    assert store.read_bytes() == before
    assert cli("stores", "attach", str(store)).code == 0
    assert cli.json("stores", "discover") == []


def test_where_nothing_is_found_it_says_where_it_looked(
    cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(disk_path))
    monkeypatch.chdir(disk_path)
    ran = cli("stores", "discover")
    assert ran.code == 0
    assert ran.out == ""
    assert "~/.claude/projects/*/memory" in ran.err
    assert "memtui stores attach PATH" in ran.err


def test_looking_for_stores_makes_no_workspace(
    cli: Cli, disk_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(disk_path))
    mcp_memory.make(disk_path / "memory.json")
    (found,) = cli.json("--workspace", str(disk_path / "none" / "w.db"), "stores", "discover")
    assert found["count"] == 6
    assert [each.name for each in disk_path.iterdir()] == ["memory.json"]


# -- stats


def test_stats_count_what_is_there(cli: Cli) -> None:
    memories = cli.json("list")
    told = cli.json("stats")
    assert told["memories"] == len(memories) == sum(told["status"].values()) == sum(told["category"].values())
    assert told["pinned"] == sum(memory["pinned"] for memory in memories)
    by_store = {each["name"]: each["memories"] for each in told["stores"]}
    assert by_store[FOUNDER] == sum(memory["store"] == FOUNDER for memory in memories)
    assert sum(by_store.values()) == len(memories)
    assert told["bytes"] > 0
    assert told["journal"]["person"] == len([e for e in cli.json("journal") if e["actor"] == "person"])
    ran = cli("stats")
    assert ["memories", "", str(len(memories))] in [line.split("\t") for line in ran.out.splitlines()]


def test_stats_of_an_empty_workspace(bare: Cli) -> None:
    assert bare.json("stats")["memories"] == 0
    assert bare("stats").code == 0


# -- completion


@pytest.fixture(scope="module", autouse=True)
def asked_once() -> Iterator[None]:
    """A script asks for all commands dozens of times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(completion, "known", cache(completion.known))
        yield


Complete = Callable[..., list[str]]

_ASK = """
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
    """What a real bash offers behind these words; the last one is being typed."""

    def ask(*words: str) -> list[str]:
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in ("memtui", *words))
        ran = subprocess.run(
            ["bash", "--norc", "-c", _ASK.format(script=script, words=quoted)],
            capture_output=True, text=True, check=True, cwd=here, timeout=30,
        )  # fmt: skip
        assert ran.stderr == ""
        return [line for line in ran.stdout.splitlines() if line]

    return ask


def test_bash_offers_every_command(complete: Complete) -> None:
    firsts = {name.split()[0] for name in COMMANDS}
    assert firsts | {"help"} == set(complete(""))
    assert complete("comp") == ["completion"]
    assert set(complete("stores", "")) == {n.split()[1] for n in COMMANDS if n.startswith("stores ")}
    assert complete("stores", "dis") == ["discover"]
    assert complete("completion", "") == ["bash", "zsh", "fish"]


def test_bash_offers_every_option_of_every_command(complete: Complete) -> None:
    for each in completion.known():
        offered = set(complete(*each.name.split(), "--"))
        assert offered == {option.name for option in each.options if option.name.startswith("--")}, each.name
    assert "--sort" in complete("list", "--")
    assert "--sort" not in complete("show", "--")
    assert {"--version", "--workspace"} <= set(complete("-"))


def test_bash_offers_values_and_filters(complete: Complete) -> None:
    assert set(complete("list", "--sort", "")) == set(options.SORTS)
    assert complete("list", "--sort", "n") == ["newest"]
    assert set(complete("list", "")) == {f"{name}:" for name in FILTERS}
    # bash takes the colon for a word of its own.
    assert complete("list", "status", ":", "pe") == ["pending"]
    assert set(complete("list", "is", ":")) == set(FILTERS["is"].allowed)
    assert set(complete("search", "has", ":")) == set(FILTERS["has"].allowed)
    assert complete("search", "--by", "m") == ["meaning"]
    assert "tag:" in complete("saved", "add", "one", "")
    assert complete("saved", "") == ["list", "add", "forget"]
    assert complete("--workspace", "x.db", "lis") == ["list"]


def test_bash_offers_files_where_a_path_is_meant(complete: Complete, here: Path) -> None:
    (here / "a store.jsonl").touch()
    assert "a store.jsonl" in complete("stores", "attach", "a")
    assert "a store.jsonl" in complete("doctor", "--salvage", "")
    assert "a store.jsonl" in complete("--workspace", "")
    assert "a store.jsonl" in complete("eval", "retrieval", "a")
    assert "a store.jsonl" not in complete("pin", "a")


def test_the_script_is_sound_and_bash_takes_it(bare: Cli, script: str) -> None:
    ran = bare("completion", "bash")
    assert ran.out == script
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = subprocess.run(
        ["bash", "--norc", "-c", 'source /dev/stdin; complete -p memtui'],
        input=script, text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert "-F _memtui" in told.stdout


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_hear_of_everything(bare: Cli, shell: str) -> None:
    script = bare("completion", shell).out
    for name in COMMANDS:
        assert name.split()[-1] in script
    for name in FILTERS:
        assert f"{name}:" in script
    for sort in options.SORTS:
        assert sort in script
    assert ("--sort" if shell == "zsh" else "-l sort") in script
    assert bare.json("completion", shell) == {"shell": shell, "script": script}


def test_another_shell_is_wrong_use(bare: Cli) -> None:
    assert bare("completion", "tcsh").code == 2
