"""Faults 22 to 39: content of stores, what is shown, and what the user's keys do."""

from __future__ import annotations

import io
import json
import os
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

from memtui.errors import Conflict, Refused
from memtui.formats.media.files import atomic_write
from memtui.text import LIMIT
from memtui.tui.app import MemtuiApp
from memtui.tui.memory.detail.memory_text import memory_text
from memtui.tui.text.pieces import assembled
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, drive, typed
from tests.support.command_line import Cli, run_program
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    all_contents,
    assert_in_sync,
    files_under,
    find_id,
    memory,
    refusal,
)
from tests.support.hostile.texts import MARK, TEXTS, unsafe_characters
from tests.support.sizes import shard
from tests.support.stores import file_hashes

_FRONTMATTER = "---\nname: {}\ndescription: so\ntype: user\n---\n\n"


def screen(demo_workspace: DemoWorkspace, *keys: Step) -> str:
    return drive(MemtuiApp(demo_workspace.open, clock=demo_workspace.clock), *keys)


def note(demo_workspace: DemoWorkspace, name: str, data: bytes) -> Path:
    """Add a file to the Claude Code memory."""
    file = demo_workspace.store_paths[CLAUDE] / name
    file.write_bytes(data)
    return file


def codes(workspace: Workspace, store: str) -> set[str]:
    (info,) = [each for each in workspace.stores() if each.name == store]
    return {finding.code for finding in info.findings}


def test_fault_22_an_unknown_trigger_in_a_store(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """The store is read-only for that reason: an update could fire the trigger."""
    path = demo_workspace.store_paths[FOUNDER]
    agent_executes(path, "CREATE TRIGGER wipe AFTER UPDATE ON memories BEGIN DELETE FROM memories; END")
    id, before = find_id(workspace, SAMPLE[FOUNDER]), file_hashes(path)
    for verb in (
        lambda: workspace.edit([id], {"content": "Zebra."}),
        lambda: workspace.dismiss([id]),
        lambda: workspace.add({"content": "Zebra."}, FOUNDER),
        lambda: workspace.purge([id]),
    ):
        error = refusal(verb)
        assert error.code == "read-only"
        assert "Unknown trigger “wipe” on memories" in error.message
    assert file_hashes(path) == before
    assert any("“wipe”" in info.read_only for info in workspace.stores())


def test_fault_23_nul_surrogates_and_invalid_utf8(
    demo_workspace: DemoWorkspace, workspace: Workspace, cli: Cli
) -> None:
    """New ones are refused or replaced; existing ones are shown and stay as they are."""
    for store in (NATIVE, *FOREIGN):
        fields = {"content": "nul \0 half \ud800 end", "subject": "Bo Janssen" if store == MCP else None}
        with suppress(Refused):
            (id,) = workspace.add(fields, store).ids
            content = memory(workspace, id).content
            assert "\0" not in content
            content.encode()
            assert_in_sync(workspace)
            workspace.undo()
    path = demo_workspace.store_paths[FOUNDER]
    agent_executes(
        path, "UPDATE memories SET content = CAST(x'7a6562ff726120' AS TEXT) WHERE key = 'tomas-lead'"
    )
    workspace.pull()
    id = find_id(workspace, "key:tomas-lead")
    assert memory(workspace, id).content == "zeb\ufffdra "
    before = file_hashes(path)
    assert refusal(lambda: workspace.edit([id], {"content": "Zebra."})).code in ("not-utf8", "conflict")
    assert file_hashes(path) == before
    result = run_program("--workspace", str(demo_workspace.path), "add", b"bad \xff\xfe utf8")
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize(
    "query",
    [
        '"open',
        "NEAR(a b)",
        "a AND",
        "(a",
        "a*b*",
        "content:",
        "-",
        '"" OR',
        "^a",
        "a:b:c",
        "'",
        "{a b}",
        "\\",
    ],
)
def test_fault_24_raw_query_syntax(cli: Cli, query: str) -> None:
    """Taken as words, or an error with its position; never an error of the index."""
    result = cli("--json", "list", "--", query)
    if result.code:
        assert result.error["code"] == "query"
        assert 0 <= result.error["start"] <= result.error["end"] <= len(query)
        assert "fts5" not in result.out.lower()
    else:
        assert isinstance(result.json, list)


def test_fault_24_raw_query_syntax_on_screen(demo_workspace: DemoWorkspace) -> None:
    shots = Shots()
    final_screen = screen(
        demo_workspace, "/", *typed("status:nonsense"), shots, "ctrl+u", *typed('"open (a AND')
    )
    assert "nonsense" in shots[0]
    assert "nonsense" not in final_screen
    assert "memories" in final_screen


@pytest.mark.parametrize(
    ("number", "name"), list(enumerate(name for name in TEXTS if name not in ("surrogates", "nul")))
)
def test_fault_25_escape_codes(workspace: Workspace, cli: Cli, number: int, name: str) -> None:
    """Visible, never raw, on the screen and in commands."""
    (id,) = workspace.add({"content": TEXTS[name], "title": TEXTS[name].splitlines()[0]}).ids
    uid = memory(workspace, id).uid
    for words in shard((["list", MARK], ["show", uid], ["pin", uid], ["journal"]), number, 2):
        result = cli(*words)
        assert result.code == 0, result.err
        assert unsafe_characters(result.out) == set()
        assert unsafe_characters(result.err) == set()


def test_fault_25_escape_codes_on_screen(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    texts = [TEXTS[name] for name in ("clipboard", "eight bit", "bidi")]
    workspace.add({"content": "\n\n".join(texts), "title": " ".join(texts)})
    shown = screen(demo_workspace, "/", *typed(MARK), "down", "enter")
    assert unsafe_characters(shown) == set()
    assert shown.count(MARK) > 2 * len(texts)


def test_fault_26_markup_is_literal(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """No action, no link, no colour."""
    workspace.add({"content": TEXTS["markup"], "title": "[@click=app.quit]zebra[/]"})
    shown = screen(demo_workspace, "/", *typed("zebra"), "down", "enter")
    assert "[@click=app.quit]zebra[/]" in shown
    assert "[bold]x[/bold]" in shown


def test_fault_27_a_huge_memory(demo_workspace: DemoWorkspace, workspace: Workspace, cli: Cli) -> None:
    """At most 20,000 characters are shown; the whole text is kept."""
    text = "zebra " + "x" * 999_990 + " end"
    (id,) = workspace.add({"content": text}).ids
    assert memory(workspace, id).content == text
    assert len(cli("list", "zebra").out) < 1_000
    assert cli.json("show", memory(workspace, id).uid)["content"] == text
    assert "zebra" in screen(demo_workspace, "/", *typed("zebra"), "down", "enter")
    detail = workspace.detail(id)
    assert detail is not None
    pieces = memory_text(detail, demo_workspace.clock(), 80, lambda name: "?", compact=False)
    shown = assembled(pieces).plain
    assert len(shown) < LIMIT + 2_000
    assert "more characters" in shown


def test_fault_28_yaml_bombs(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Aliases, deep nesting and long values are not parsed; the file is left as it is."""
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    texts = {
        "bomb.md": f"---\nname: Bomb\n{bomb}description: so\ntype: user\n---\n\nZebra bomb.\n",
        "deep.md": f"---\nname: Deep\nx: {'[' * 5000}{']' * 5000}\ntype: user\n---\n\nZebra deep.\n",
        "long.md": f"---\nname: Long\nx: {'y' * 70_000}\ntype: user\n---\n\nZebra long.\n",
        "tag.md": "---\nname: !!python/object/apply:os.system ['true']\ntype: user\n---\n\nZebra tag.\n",
    }
    files = {name: note(demo_workspace, name, text.encode()) for name, text in texts.items()}
    assert workspace.pull().errors == {}
    for name, file in files.items():
        (id,) = workspace.search(f"zebra {file.stem}").ids
        with suppress(Refused):  # otherwise one line is changed
            workspace.edit([id], {"category": "project"})
            assert len(file.read_bytes()) < len(texts[name]) + 20
            workspace.undo()
        assert file.read_bytes() == texts[name].encode()
    assert_in_sync(workspace)


@pytest.mark.parametrize(
    "frontmatter",
    [
        "name: One\nname: Two\ntype: user",
        "- a\n- b",
        "name: [a, b]\ntype: user",
        "just words",
        "name: : :",
        "",
    ],
)
def test_fault_29_duplicate_keys_and_malformed_frontmatter(
    demo_workspace: DemoWorkspace, workspace: Workspace, frontmatter: str
) -> None:
    """Reported, and never rewritten: the bytes of the frontmatter stay, whatever changes below it."""
    before = f"---\n{frontmatter}\n---\n\nZebra below.\n".encode()
    file = note(demo_workspace, "zebra.md", before)
    assert workspace.pull().errors == {}
    (id,) = workspace.search("zebra below").ids
    for fields in ({"category": "project"}, {"title": "Another"}, {"content": "Zebra anew."}):
        with suppress(Refused):
            workspace.edit([id], fields)
            if "content" in fields:
                assert file.read_bytes().startswith(before[: before.index(b"Zebra")])
            workspace.undo()
        assert file.read_bytes() == before
    assert_in_sync(workspace)


@pytest.mark.parametrize("kind", ["BOM", "CRLF", "bad UTF-8"])
def test_fault_30_bom_crlf_and_invalid_utf8(
    demo_workspace: DemoWorkspace, workspace: Workspace, kind: str
) -> None:
    """A change and its reversal restore every byte; files that are not UTF-8 are read-only."""
    text = (_FRONTMATTER.format("Zebra") + "Zebra stands here.\nSo.\n").encode()
    data = {
        "BOM": b"\xef\xbb\xbf" + text,
        "CRLF": text.replace(b"\n", b"\r\n"),
        "bad UTF-8": text.replace(b"So.", b"So\xff."),
    }[kind]
    file = note(demo_workspace, "zebra.md", data)
    workspace.pull()
    (id,) = workspace.search("zebra stands").ids
    content = memory(workspace, id).content
    if kind == "bad UTF-8":
        assert refusal(lambda: workspace.edit([id], {"content": "Anew."})).code == "read-only"
        assert "read-only" in codes(workspace, CLAUDE)
    else:
        workspace.edit([id], {"content": "Anew.\nTwo lines."})
        assert (b"\r\n" in file.read_bytes()) == (kind == "CRLF")
        workspace.edit([id], {"content": content})
        assert file.read_bytes() == data
        workspace.undo()
        workspace.undo()
    assert file.read_bytes() == data


def test_fault_31_paths_outside_the_store(
    demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path
) -> None:
    """`..`, absolute paths and symlinks in a title, a file name, a link and a backup are refused."""
    outside = tmp_path / "outside.md"
    outside.write_text(_FRONTMATTER.format("Out") + "A zorilla.\n")
    before = outside.read_bytes()
    folder = demo_workspace.store_paths[CLAUDE]
    for path in ("../../outside", "/etc/passwd", str(outside), "a/../../b", ".."):
        (id,) = workspace.add({"content": f"Zebra {path}", "title": path}, CLAUDE).ids
        assert (folder / workspace.memories([id])[0].ref).resolve().is_relative_to(folder)
        workspace.undo()
    (folder / "link.md").symlink_to(outside)
    with (folder / "MEMORY.md").open("a") as index:
        index.write(f"- [Out](../../outside.md) - so\n- [Abs]({outside}) - so\n")
    workspace.pull()
    assert not workspace.search("zorilla", live=False).ids
    assert "link" in codes(workspace, CLAUDE)
    demo_workspace.clock.now += 86_400
    workspace.edit([find_id(workspace, SAMPLE[CLAUDE])], {"content": "Zebra."})
    backup = workspace.backups(CLAUDE)[0]
    for path in ("../../evil.md", str(tmp_path / "evil.md"), "link.md"):
        with tarfile.open(backup.path, "a") as tar:
            member = tarfile.TarInfo(path)
            member.size = 5
            tar.addfile(member, io.BytesIO(b"evil\n"))
        refusal(lambda: workspace.restore_backup(backup.id))
        assert not [file for file in files_under(tmp_path) if file.name == "evil.md"]
    assert outside.read_bytes() == before
    with pytest.raises(Exception, match=r"outside|leads"):
        atomic_write.path_inside(folder, "../evil.md")


def test_fault_32_a_file_that_changed_since_it_was_read(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Refused with both texts."""
    uid = cli.uid(SAMPLE[MCP])
    path = demo_workspace.store_paths[MCP]
    path.write_text(path.read_text().replace("Is allergic to nuts", "Is allergic to bees"))
    before = path.read_bytes()
    result = cli("--json", "edit", uid, "--content", "Is allergic to zebras")
    assert result.error["code"] == "conflict"
    assert result.error["yours"] == {"content": "Is allergic to zebras"}
    assert "bees" in json.dumps(result.error["theirs"])
    assert path.read_bytes() == before


def test_fault_33_a_torn_last_line(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Kept, reported, and no obstacle to a change."""
    path = demo_workspace.store_paths[MCP]
    torn = b'\n{"type":"entity","name":"To'
    path.write_bytes(path.read_bytes() + torn)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    before = path.read_bytes()
    assert workspace.pull().errors == {}
    assert "bad-line" in codes(workspace, MCP)
    workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "Zebra."})
    assert path.read_bytes().endswith(torn)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    workspace.undo()
    assert path.read_bytes() == before


@pytest.mark.parametrize("store", [NATIVE, *FOREIGN])
def test_fault_37_nothing_is_overwritten_silently(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    """Two users edit one memory: the second is refused, because the memory is not as they saw it."""
    id = find_id(workspace, SAMPLE[store])
    content = memory(workspace, id).content
    with demo_workspace.opened() as other:
        other.edit([id], {"content": "Said by the first."})
    before = all_contents(demo_workspace.folder)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "Said by the second."}, seen={"content": content})
    assert conflict.value.stored == {"content": "Said by the first."}
    assert conflict.value.intended == {"content": "Said by the second."}
    assert all_contents(demo_workspace.folder) == before
    assert memory(workspace, id).content == "Said by the first."


def test_fault_39_undo_works_after_a_restart(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    before = all_contents(demo_workspace.folder)
    for uid in (cli.uid(SAMPLE[MCP]), cli.uid(SAMPLE[CLAUDE])):
        assert cli("dismiss", uid).code == 0
    assert all_contents(demo_workspace.folder) != before
    assert cli("undo").code == 0
    assert run_program("--workspace", str(demo_workspace.path), "undo").returncode == 0
    assert all_contents(demo_workspace.folder) == before


def test_fault_39_one_key_undoes_and_the_key_that_asks_does_not_confirm(
    demo_workspace: DemoWorkspace,
) -> None:
    """X asks; X, enter, y and space afterwards erase nothing: a word has to be typed."""
    with demo_workspace.opened() as workspace:
        id = find_id(workspace, SAMPLE[MCP])
    before = all_contents(demo_workspace.folder)
    shots = Shots()

    def assert_changed(app: MemtuiApp) -> None:
        assert all_contents(demo_workspace.folder) != before

    def assert_unchanged(app: MemtuiApp) -> None:
        assert all_contents(demo_workspace.folder) == before

    def assert_not_erased(app: MemtuiApp) -> None:
        assert all_contents(demo_workspace.folder) == before
        with demo_workspace.opened() as workspace:
            assert memory(workspace, id)

    purge_keys: list[Step] = ["X", "X", "enter", "y", "space", "enter", shots, assert_not_erased, "escape"]
    undo_keys: list[Step] = ["d", assert_changed, "u", assert_unchanged]
    confirm_keys: list[Step] = ["X", *typed("purge"), "enter"]
    screen(demo_workspace, "/", *typed("allergic"), "down", *undo_keys, *purge_keys, *confirm_keys)
    assert "Nothing was purged" in shots[0]
    assert all_contents(demo_workspace.folder) != before
    with demo_workspace.opened() as workspace:
        assert workspace.memories([id]) == []
