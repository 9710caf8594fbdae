"""Faults 22 to 39: what stands in stores, what is shown, and what a person's keys may do."""

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
from memtui.tui.memory.memory_text import memory_text
from memtui.workspace.workspace import Workspace
from tests.support.app_driver import Shots, Step, drive, typed
from tests.support.command_line import Cli, program
from tests.support.demo_workspace import (
    CLAUDE,
    FOREIGN,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_sets,
    agrees,
    everything,
    files_under,
    memory,
    refusal,
    the,
)
from tests.support.hostile.texts import MARK, TEXTS, acts
from tests.support.sizes import turn
from tests.support.stores import bytes_of

_HEAD = "---\nname: {}\ndescription: so\ntype: user\n---\n\n"


def screen(demo_workspace: DemoWorkspace, *keys: Step) -> str:
    return drive(MemtuiApp(demo_workspace.open, clock=demo_workspace.clock), *keys)


def note(demo_workspace: DemoWorkspace, name: str, data: bytes) -> Path:
    """A file more in the Claude Code memory."""
    file = demo_workspace.places[CLAUDE] / name
    file.write_bytes(data)
    return file


def codes(workspace: Workspace, store: str) -> set[str]:
    (info,) = [each for each in workspace.stores() if each.name == store]
    return {finding.code for finding in info.findings}


def test_fault_22_a_foreign_trigger_that_is_unknown(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    """The store is read-only with that reason: an update could set it off."""
    place = demo_workspace.places[FOUNDER]
    agent_sets(place, "CREATE TRIGGER wipe AFTER UPDATE ON memories BEGIN DELETE FROM memories; END")
    id, before = the(workspace, SAMPLE[FOUNDER]), bytes_of(place)
    for act in (
        lambda: workspace.edit([id], {"content": "Zebra."}),
        lambda: workspace.dismiss([id]),
        lambda: workspace.add({"content": "Zebra."}, FOUNDER),
        lambda: workspace.purge([id]),
    ):
        told = refusal(act)
        assert told.code == "read-only"
        assert "The trigger “wipe” on memories is unknown" in told.message
    assert bytes_of(place) == before
    assert any("“wipe”" in info.read_only for info in workspace.stores())


def test_fault_23_nul_surrogates_and_bad_utf8(
    demo_workspace: DemoWorkspace, workspace: Workspace, cli: Cli
) -> None:
    """Written ones are refused or made whole; those that stand there are shown, and stay as they are."""
    for store in (NATIVE, *FOREIGN):
        fields = {"content": "nul \0 half \ud800 end", "subject": "Bo Janssen" if store == MCP else None}
        with suppress(Refused):
            (id,) = workspace.add(fields, store).ids
            said = memory(workspace, id).content
            assert "\0" not in said
            said.encode()
            agrees(workspace)
            workspace.undo()
    place = demo_workspace.places[FOUNDER]
    agent_sets(
        place, "UPDATE memories SET content = CAST(x'7a6562ff726120' AS TEXT) WHERE key = 'tomas-lead'"
    )
    workspace.pull()
    id = the(workspace, "key:tomas-lead")
    assert memory(workspace, id).content == "zeb\ufffdra "
    before = bytes_of(place)
    assert refusal(lambda: workspace.edit([id], {"content": "Zebra."})).code in ("not-utf8", "conflict")
    assert bytes_of(place) == before
    ran = program("--workspace", str(demo_workspace.path), "add", b"bad \xff\xfe utf8")
    assert b"Traceback" not in ran.stderr


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
    """Taken as words, or an error that points at the place; never the index's own complaint."""
    ran = cli("--json", "list", "--", query)
    if ran.code:
        assert ran.error["code"] == "query"
        assert 0 <= ran.error["start"] <= ran.error["end"] <= len(query)
        assert "fts5" not in ran.out.lower()
    else:
        assert isinstance(ran.json, list)


def test_fault_24_raw_query_syntax_on_screen(demo_workspace: DemoWorkspace) -> None:
    seen = Shots()
    last = screen(demo_workspace, "/", *typed("status:nonsense"), seen, "ctrl+u", *typed('"open (a AND'))
    assert "nonsense" in seen[0]
    assert "nonsense" not in last
    assert "memories" in last


@pytest.mark.parametrize(
    ("number", "name"), list(enumerate(name for name in TEXTS if name not in ("halves", "nul")))
)
def test_fault_25_escape_codes(workspace: Workspace, cli: Cli, number: int, name: str) -> None:
    """Visible, never raw, on screen and in commands."""
    (id,) = workspace.add({"content": TEXTS[name], "title": TEXTS[name].splitlines()[0]}).ids
    uid = memory(workspace, id).uid
    for words in turn((["list", MARK], ["show", uid], ["pin", uid], ["journal"]), number, 2):
        ran = cli(*words)
        assert ran.code == 0, ran.err
        assert acts(ran.out) == set()
        assert acts(ran.err) == set()


def test_fault_25_escape_codes_on_screen(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    texts = [TEXTS[name] for name in ("clipboard", "eight bit", "bidi")]
    workspace.add({"content": "\n\n".join(texts), "title": " ".join(texts)})
    seen = screen(demo_workspace, "/", *typed(MARK), "down", "enter")
    assert acts(seen) == set()
    assert seen.count(MARK) > 2 * len(texts)


def test_fault_26_markup_is_literal(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """No action, no link, no colour."""
    workspace.add({"content": TEXTS["markup"], "title": "[@click=app.quit]zebra[/]"})
    seen = screen(demo_workspace, "/", *typed("zebra"), "down", "enter")
    assert "[@click=app.quit]zebra[/]" in seen
    assert "[bold]x[/bold]" in seen


def test_fault_27_a_huge_memory(demo_workspace: DemoWorkspace, workspace: Workspace, cli: Cli) -> None:
    """At most 20,000 characters are shown; all of it is kept."""
    text = "zebra " + "x" * 999_990 + " end"
    (id,) = workspace.add({"content": text}).ids
    assert memory(workspace, id).content == text
    assert len(cli("list", "zebra").out) < 1_000
    assert cli.json("show", memory(workspace, id).uid)["content"] == text
    assert "zebra" in screen(demo_workspace, "/", *typed("zebra"), "down", "enter")
    detail = workspace.detail(id)
    assert detail is not None
    shown = memory_text(detail, demo_workspace.clock(), 80, lambda name: "?", compact=False).plain
    assert len(shown) < LIMIT + 2_000
    assert "characters more are not shown" in shown


def test_fault_28_yaml_bombs(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """No alias is followed, nothing deep, nothing long; the file is left as it is."""
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    heads = {
        "bomb.md": f"---\nname: Bomb\n{bomb}description: so\ntype: user\n---\n\nZebra bomb.\n",
        "deep.md": f"---\nname: Deep\nx: {'[' * 5000}{']' * 5000}\ntype: user\n---\n\nZebra deep.\n",
        "long.md": f"---\nname: Long\nx: {'y' * 70_000}\ntype: user\n---\n\nZebra long.\n",
        "tag.md": "---\nname: !!python/object/apply:os.system ['true']\ntype: user\n---\n\nZebra tag.\n",
    }
    files = {name: note(demo_workspace, name, text.encode()) for name, text in heads.items()}
    assert workspace.pull().errors == {}
    for name, file in files.items():
        (id,) = workspace.search(f"zebra {file.stem}").ids
        with suppress(Refused):  # else one line is patched
            workspace.edit([id], {"category": "project"})
            assert len(file.read_bytes()) < len(heads[name]) + 20
            workspace.undo()
        assert file.read_bytes() == heads[name].encode()
    agrees(workspace)


@pytest.mark.parametrize(
    "head",
    [
        "name: One\nname: Two\ntype: user",
        "- a\n- b",
        "name: [a, b]\ntype: user",
        "just words",
        "name: : :",
        "",
    ],
)
def test_fault_29_duplicate_keys_and_odd_heads(
    demo_workspace: DemoWorkspace, workspace: Workspace, head: str
) -> None:
    """Told, and the head is never written anew: its bytes stay, whatever is changed below it."""
    before = f"---\n{head}\n---\n\nZebra below.\n".encode()
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
    agrees(workspace)


@pytest.mark.parametrize("kind", ["BOM", "CRLF", "bad UTF-8"])
def test_fault_30_bom_crlf_and_bad_utf8(
    demo_workspace: DemoWorkspace, workspace: Workspace, kind: str
) -> None:
    """What is changed and changed back is byte for byte what it was; what is no UTF-8 is only read."""
    text = (_HEAD.format("Zebra") + "Zebra stands here.\nSo.\n").encode()
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


def test_fault_31_paths_that_lead_out(
    demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path
) -> None:
    """`..`, absolute paths and links: refused, from a title, a file name, a link and a backup."""
    outside = tmp_path / "outside.md"
    outside.write_text(_HEAD.format("Out") + "A zorilla.\n")
    before = outside.read_bytes()
    folder = demo_workspace.places[CLAUDE]
    for bad in ("../../outside", "/etc/passwd", str(outside), "a/../../b", ".."):
        (id,) = workspace.add({"content": f"Zebra {bad}", "title": bad}, CLAUDE).ids
        assert (folder / workspace.memories([id])[0].ref).resolve().is_relative_to(folder)
        workspace.undo()
    (folder / "link.md").symlink_to(outside)
    with (folder / "MEMORY.md").open("a") as index:
        index.write(f"- [Out](../../outside.md) - so\n- [Abs]({outside}) - so\n")
    workspace.pull()
    assert not workspace.search("zorilla", live=False).ids
    assert "link" in codes(workspace, CLAUDE)
    demo_workspace.clock.now += 86_400
    workspace.edit([the(workspace, SAMPLE[CLAUDE])], {"content": "Zebra."})
    backup = workspace.backups(CLAUDE)[0]
    for bad in ("../../evil.md", str(tmp_path / "evil.md"), "link.md"):
        with tarfile.open(backup.path, "a") as tar:
            member = tarfile.TarInfo(bad)
            member.size = 5
            tar.addfile(member, io.BytesIO(b"evil\n"))
        refusal(lambda: workspace.restore_backup(backup.id))
        assert not [file for file in files_under(tmp_path) if file.name == "evil.md"]
    assert outside.read_bytes() == before
    with pytest.raises(Exception, match=r"outside|leads"):
        atomic_write.inside(folder, "../evil.md")


def test_fault_32_a_file_that_changed_since_it_was_read(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    """Both texts are kept and told."""
    uid = cli.uid(SAMPLE[MCP])
    place = demo_workspace.places[MCP]
    place.write_text(place.read_text().replace("Is allergic to nuts", "Is allergic to bees"))
    before = place.read_bytes()
    ran = cli("--json", "edit", uid, "--content", "Is allergic to zebras")
    assert ran.error["code"] == "conflict"
    assert ran.error["yours"] == {"content": "Is allergic to zebras"}
    assert "bees" in json.dumps(ran.error["theirs"])
    assert place.read_bytes() == before


def test_fault_33_a_torn_tail(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    """Kept, told, and not in the way of a change."""
    place = demo_workspace.places[MCP]
    torn = b'\n{"type":"entity","name":"To'
    place.write_bytes(place.read_bytes() + torn)
    os.utime(place, (1_700_000_000, 1_700_000_000))
    before = place.read_bytes()
    assert workspace.pull().errors == {}
    assert "bad-line" in codes(workspace, MCP)
    workspace.edit([the(workspace, SAMPLE[MCP])], {"content": "Zebra."})
    assert place.read_bytes().endswith(torn)
    os.utime(place, (1_700_000_000, 1_700_000_000))
    workspace.undo()
    assert place.read_bytes() == before


@pytest.mark.parametrize("store", [NATIVE, *FOREIGN])
def test_fault_37_nothing_is_overwritten_silently(
    demo_workspace: DemoWorkspace, workspace: Workspace, store: str
) -> None:
    """Two persons at one memory: the second one compares with what was seen, and is told."""
    id = the(workspace, SAMPLE[store])
    seen = memory(workspace, id).content
    with demo_workspace.opened() as other:
        other.edit([id], {"content": "Said by the first."})
    before = everything(demo_workspace.folder)
    with pytest.raises(Conflict) as conflict:
        workspace.edit([id], {"content": "Said by the second."}, seen={"content": seen})
    assert conflict.value.theirs == {"content": "Said by the first."}
    assert conflict.value.yours == {"content": "Said by the second."}
    assert everything(demo_workspace.folder) == before
    assert memory(workspace, id).content == "Said by the first."


def test_fault_39_undo_outlives_the_program(demo_workspace: DemoWorkspace, cli: Cli) -> None:
    before = everything(demo_workspace.folder)
    for uid in (cli.uid(SAMPLE[MCP]), cli.uid(SAMPLE[CLAUDE])):
        assert cli("dismiss", uid).code == 0
    assert everything(demo_workspace.folder) != before
    assert cli("undo").code == 0
    assert program("--workspace", str(demo_workspace.path), "undo").returncode == 0
    assert everything(demo_workspace.folder) == before


def test_fault_39_one_key_takes_back_a_wrong_one_and_the_key_that_asks_does_not_confirm(
    demo_workspace: DemoWorkspace,
) -> None:
    """X asks; X, enter, y and space after it erase nothing: a word has to be typed."""
    with demo_workspace.opened() as workspace:
        id = the(workspace, SAMPLE[MCP])
    before = everything(demo_workspace.folder)
    seen = Shots()

    def something_is_changed(app: MemtuiApp) -> None:
        assert everything(demo_workspace.folder) != before

    def nothing_is_changed(app: MemtuiApp) -> None:
        assert everything(demo_workspace.folder) == before

    def nothing_is_erased(app: MemtuiApp) -> None:
        assert everything(demo_workspace.folder) == before
        with demo_workspace.opened() as workspace:
            assert memory(workspace, id)

    wrong: list[Step] = ["X", "X", "enter", "y", "space", "enter", seen, nothing_is_erased, "escape"]
    taken_back: list[Step] = ["d", something_is_changed, "u", nothing_is_changed]
    erased: list[Step] = ["X", *typed("purge"), "enter"]
    screen(demo_workspace, "/", *typed("allergic"), "down", *taken_back, *wrong, *erased)
    assert "Nothing was erased" in seen[0]
    assert everything(demo_workspace.folder) != before
    with demo_workspace.opened() as workspace:
        assert workspace.memories([id]) == []
