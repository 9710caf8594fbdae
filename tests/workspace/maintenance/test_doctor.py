"""The doctor: what is wrong, what follows from it, and what can be mended (S-90, S-91; LIMITS 4)."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from memtui import cli
from memtui.formats import registry, relation_checks
from memtui.formats.media.files import tree
from memtui.formats.syntax import frontmatter
from memtui.memory.stores import Issue
from memtui.workspace.maintenance import doctor, environment, finding_help, workspace_checks
from memtui.workspace.workspace import Workspace
from tests.support.corruption import replace_in_memories
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    agent_executes,
    all_contents,
    assert_in_sync,
    assert_word_index_intact,
    find_id,
    memory,
)
from tests.support.stores import Agent


@pytest.fixture(autouse=True)
def private(demo_workspace: DemoWorkspace) -> None:
    """What is only odd about where tests run: that others may read it."""
    for file in demo_workspace.folder.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)


def found(workspace: Workspace, code: str) -> list[Issue]:
    return [each for each in workspace.doctor() if each.code == code]


def one(workspace: Workspace, code: str) -> Issue:
    (ailment,) = found(workspace, code)
    return ailment


def set_up(workspace: Workspace, sql: str, *values: Any) -> None:
    """Harm that no verb does."""
    workspace._ctx.db.run(sql, values)


def test_a_healthy_office_has_nothing(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    before = all_contents(demo_workspace.folder)
    assert workspace.doctor() == []
    assert doctor.damage(workspace._ctx) == ""
    assert all_contents(demo_workspace.folder) == before


def test_the_linked_sqlite_is_told_and_an_old_one_is_grave(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tuple(map(int, workspace_checks.sqlite_version().split("."))) >= workspace_checks.SAFE
    monkeypatch.setattr(workspace_checks, "SAFE", (99, 0, 0))
    ailment = workspace.doctor()[0]
    assert (ailment.code, ailment.severe) == ("sqlite", True)
    assert "can be lost" in ailment.meaning


# -- the workspace's own file


def test_a_words_index_out_of_step_is_made_anew(workspace: Workspace) -> None:
    set_up(workspace, "DELETE FROM words_docsize WHERE id = 3")
    ailment = one(workspace, "words")
    assert not ailment.severe
    assert workspace.repair([ailment]) == ["Made the words index anew from the memories."]
    assert_word_index_intact(workspace)
    assert found(workspace, "words") == []
    assert workspace.search(SAMPLE[FOUNDER]).ids


def test_a_broken_words_index_condemns_no_workspace(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        set_up(
            workspace,
            "UPDATE words_data SET block = zeroblob(20) WHERE id = (SELECT max(id) FROM words_data)",
        )
    with demo_workspace.opened() as workspace:
        assert not workspace.read_only
        workspace.repair([one(workspace, "words")])
        assert_word_index_intact(workspace)


def test_a_flipped_byte_in_a_store_s_text_is_taken_anew(demo_workspace: DemoWorkspace) -> None:
    text = "Is allergic to nuts"
    replace_in_memories(demo_workspace.path, text, "Is allergic to nXts")
    with demo_workspace.opened() as workspace:
        ailment = one(workspace, "text")
        assert ailment.severe
        assert "next pull" in ailment.repair
        workspace.repair([ailment])
        workspace.pull()
        assert text in memory(workspace, find_id(workspace, SAMPLE[MCP])).content
        assert found(workspace, "text") == []
        assert_in_sync(workspace)


@pytest.mark.parametrize("bad", ["staging hXst", "staging h\udcffst"])
def test_a_flipped_byte_in_our_own_text_comes_back_from_the_journal(
    demo_workspace: DemoWorkspace, bad: str
) -> None:
    replace_in_memories(demo_workspace.path, "staging host", bad)
    with demo_workspace.opened() as workspace:
        ailment = one(workspace, "text")
        assert "journal" in ailment.repair
        (told,) = workspace.repair([ailment])
        assert "content" in told
        assert "staging host" in memory(workspace, find_id(workspace, SAMPLE[NATIVE])).content
        assert workspace.doctor() == []
        assert_word_index_intact(workspace)


def test_a_flipped_byte_without_another_copy_is_told(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        set_up(workspace, "UPDATE bodies SET after = NULL, before = NULL")
    replace_in_memories(demo_workspace.path, "staging host", "staging hXst")
    with demo_workspace.opened() as workspace:
        ailment = one(workspace, "text")
        assert ailment.repair == ""
        assert "no other copy" in ailment.meaning
        assert workspace.repair([ailment])[0].startswith("Left as it is")


def test_rows_that_belong_to_nothing_go_but_never_the_journal(workspace: Workspace) -> None:
    db = workspace._ctx.db
    db.run("PRAGMA foreign_keys = OFF")
    set_up(workspace, "INSERT INTO bodies (item_id) VALUES (9999)")
    set_up(workspace, "INSERT INTO item_states (item_id, state) VALUES (9999, 'done')")
    set_up(workspace, "INSERT INTO units (store_id, name, mark) VALUES (77, 'x', 'y')")
    set_up(workspace, "INSERT INTO relations (store_id, source, kind, target) VALUES (77, 'a', 'b', 'c')")
    set_up(
        workspace,
        "INSERT INTO journal_items (journal_id, memory_id, uid, store_id, fields) "
        "VALUES (9999, 1, 'x', 1, '{}')",
    )
    ailments = found(workspace, "orphans")
    assert len(ailments) == 5
    assert all("1 row of " in each.text and " belongs to no row of " in each.text for each in ailments)
    told = workspace.repair(ailments)
    assert sum("Deleted 1 row of " in sentence for sentence in told) == 4
    (left,) = found(workspace, "orphans")
    assert left.place == "journal_items → journal"
    assert left.repair == ""


def test_a_relation_of_ours_to_a_memory_that_is_gone_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    host, mock, francs = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, CLAUDE, FOUNDER))
    workspace.relate(host, "rests on", mock)
    workspace.relate(host, "refines", francs)
    workspace.relate(find_id(workspace, SAMPLE[MCP]), "refines", francs)
    (parcels,) = workspace.search("Dock Street").ids
    workspace.relate(francs, "supports", parcels)
    workspace.detach(MCP)
    workspace.dismiss([mock])
    assert found(workspace, "loose-tie") == [], "a dismissed memory still stands"
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "DELETE FROM memories WHERE content LIKE '%in francs%' OR content LIKE '%Dock%'",
    )
    workspace.pull()
    ailment = one(workspace, "loose-tie")
    uid, gone = (memory(workspace, id).uid for id in (host, francs))
    assert (ailment.store, ailment.place, ailment.repair) == ("", f"memory {uid}", "")
    assert "“refines”" in ailment.text
    assert "staging host" in ailment.text
    assert "Offers to Swiss clients" in ailment.text
    assert f"memtui restore {gone}" in ailment.meaning
    workspace.unrelate(host, "refines", francs)
    assert found(workspace, "loose-tie") == []
    set_up(workspace, "UPDATE local_relations SET target = 'nobody' WHERE source_id = ?", host)
    assert "nobody, and there is no such memory" in one(workspace, "loose-tie").text


def test_many_loose_relations_are_counted(workspace: Workspace) -> None:
    host = find_id(workspace, SAMPLE[NATIVE])
    for number in range(130):
        set_up(
            workspace,
            "INSERT INTO local_relations (source_id, target, kind) VALUES (?, ?, 'k')",
            host,
            f"u{number}",
        )
    told = found(workspace, "loose-tie")
    assert len(told) == 101
    assert told[-1].text == "There are 30 more such relations."


def test_what_others_may_read_is_made_private(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    demo_workspace.path.chmod(0o644)
    ailment = one(workspace, "permissions")
    assert "600" in ailment.repair
    workspace.repair([ailment])
    assert demo_workspace.path.stat().st_mode & 0o777 == 0o600
    demo_workspace.path.parent.chmod(0o777)
    assert one(workspace, "permissions").severe
    workspace.repair(found(workspace, "permissions"))
    assert demo_workspace.path.parent.stat().st_mode & 0o777 == 0o755
    assert workspace.doctor() == []


def test_a_workspace_that_was_swapped_while_open_is_noticed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    assert not workspace_checks.has_moved(workspace._ctx)
    demo_workspace.path.rename(demo_workspace.path.with_name("elsewhere.db"))
    assert workspace.doctor()[0].code == "moved"
    demo_workspace.path.write_bytes(b"")
    assert workspace.doctor()[0].code == "moved"
    demo_workspace.path.unlink()
    demo_workspace.path.with_name("elsewhere.db").rename(demo_workspace.path)
    assert found(workspace, "moved") == []


def test_a_newer_or_read_only_workspace_is_told_and_not_mended(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        set_up(workspace, "PRAGMA user_version = 9999")
        set_up(workspace, "DELETE FROM words_docsize WHERE id = 3")
    with demo_workspace.opened() as workspace:
        assert "newer memtui" in one(workspace, "read-only").text
        odd = Issue("", "words", "words", "It is out of step.", repair="makes it anew")
        (told,) = workspace.repair([odd])
        assert told.startswith("Not mended")


_DIES = """
import os, sys
from pathlib import Path
from memtui.workspace.workspace import Workspace
step = lambda name: os._exit(9) if name == "after the foreign write" else None
workspace = Workspace.open(Path(sys.argv[1]), on_step=step)
workspace.dismiss(list(workspace.search("allergic").ids))
"""


def test_a_change_that_was_cut_off_is_told_until_it_is_settled(demo_workspace: DemoWorkspace) -> None:
    store = demo_workspace.store_paths[MCP]
    died = subprocess.run(
        [sys.executable, "-c", _DIES, str(demo_workspace.path)], capture_output=True, check=False
    )
    assert died.returncode == 9, died.stderr
    away = store.rename(store.with_name("away"))
    with demo_workspace.opened() as workspace:
        ailment = one(workspace, "unsettled")
        assert ailment.store == MCP
        assert workspace.repair([ailment])[0].startswith("Not settled yet")
        assert one(workspace, "missing").severe
        away.rename(store)
        workspace.repair([ailment])
        assert found(workspace, "unsettled") == []
        assert_in_sync(workspace)


_HOLDS = """
import sys
from pathlib import Path
from memtui.workspace.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
workspace.add({"content": "Held."})
print("ready", flush=True)
sys.stdin.readline()
"""


def test_who_works_here_and_what_dead_ones_left(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(demo_workspace.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    assert str(child.pid) in one(workspace, "in-use").text
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    ailment = one(workspace, "stale-leases")
    workspace.repair([ailment])
    assert found(workspace, "stale-leases") == found(workspace, "in-use") == []


def test_a_half_made_backup_is_removed(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / ".20260101-000000-abc.db").touch(mode=0o600)
    ailment = one(workspace, "half-backup")
    workspace.repair([ailment])
    assert not list(folder.glob(".*"))


def _git(*words: str, at: Path) -> None:
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@y", *words], cwd=at, check=True, capture_output=True
    )


def test_what_git_tracks_is_told(demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path) -> None:
    _git("init", at=demo_workspace.folder)
    assert "does not ignore" in one(workspace, "git").text
    (demo_workspace.folder / ".gitignore").write_text("office/\n")
    assert found(workspace, "git") == []
    mark = tmp_path / "ran"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    _git("add", "-A", at=demo_workspace.folder)
    _git("config", "core.fsmonitor", str(hook), at=demo_workspace.folder)
    mark.unlink(missing_ok=True)
    assert {each.store for each in found(workspace, "git")} == {FOUNDER, CLAUDE, MCP}
    assert "Memories about a person" in next(e for e in found(workspace, "git") if e.store == FOUNDER).meaning
    assert not mark.exists(), "a repository's own settings run nothing"


def test_a_full_disk_is_told_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "LOW_SPACE", 1 << 60)
    assert one(workspace, "disk").store == ""


# -- stores


def test_each_finding_says_what_follows_from_it(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    agent_executes(
        demo_workspace.store_paths[FOUNDER], "UPDATE memories SET category = 'odd' WHERE rowid = 1"
    )
    mcp = demo_workspace.store_paths[MCP]
    mcp.write_bytes(mcp.read_bytes() + b'\n{"type":"entity","name":"To')
    (demo_workspace.store_paths[CLAUDE] / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    there = {each.code: each for each in workspace.doctor()}
    assert "does not find it" in there["odd-category"].meaning
    assert there["bad-line"].severe
    assert "do not see this memory at session start" in there["no-line"].meaning
    assert [each.severe for each in workspace.doctor()] == sorted(
        (e.severe for e in there.values()), reverse=True
    )


def test_every_code_of_the_formats_has_a_meaning() -> None:
    """Read from the formats themselves, so that a new code does not go unexplained."""
    for format in registry.formats():
        own = Path(inspect.getfile(format))
        folder = own.parent
        files = [*folder.glob("*.py")]
        files += [Path(inspect.getfile(kind)) for kind in format.__mro__ if kind.__module__ == tree.__name__]
        text = "\n".join(file.read_text("utf-8") for file in files)
        codes = set(re.findall(r'add_finding\(\s*"([a-z0-9-]+)"', text))
        if "frontmatter" in text:
            codes |= set(
                re.findall(r'problems\.append\(\("([a-z0-9-]+)"', Path(frontmatter.__file__).read_text())
            )
        assert codes
        store = format(Path())
        assert {code for code in codes if not finding_help.meaning(store, code)} == set(), format.format


def test_every_code_of_tangles_has_a_meaning() -> None:
    for format in registry.formats():
        assert [
            code for code in relation_checks.CODES if not finding_help.meaning(format(Path()), code)
        ] == []


def test_what_is_broken_in_relations_is_told_for_any_store(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    file = demo_workspace.store_paths[MCP]
    lines = [
        {"type": "entity", "name": "Old", "entityType": "x", "observations": ["was so"]},
        {"type": "entity", "name": "New", "entityType": "x", "observations": ["is so"]},
        {"type": "relation", "from": "New", "to": "Old", "relationType": "supersedes"},
        {"type": "relation", "from": "Old", "to": "New", "relationType": "supersedes"},
        {"type": "relation", "from": "New", "to": "Nobody", "relationType": "knows"},
    ]
    file.write_text("\n".join([file.read_text("utf-8").rstrip("\n"), *map(json.dumps, lines)]), "utf-8")
    before = all_contents(demo_workspace.folder)
    ailments = {each.code: each for each in workspace.doctor()}
    assert ailments.keys() == {"loop", "dangling"}, "what the reader notes itself is told once"
    loop = ailments["loop"]
    assert (loop.store, loop.repair, loop.severe) == (MCP, "", False)
    assert loop.place in ("memory.jsonl, New", "memory.jsonl, Old")
    assert "go in a circle" in loop.meaning
    assert all_contents(demo_workspace.folder) == before
    workspace.pull()
    (told,) = (info.findings for info in workspace.stores() if info.name == MCP)
    assert [each.code for each in told] == ["dangling"], "what a pull notes is the reader's"


def test_a_place_that_a_store_names_is_cut_too(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    sql = "UPDATE memories SET category = 'odd', key = ? WHERE rowid = 1"
    agent_executes(demo_workspace.store_paths[FOUNDER], sql, "k" * 100_000)
    assert len(one(workspace, "odd-category").place) < 1_000


@pytest.mark.parametrize("json_too", [False, True])
def test_hostile_names_are_neither_printed_raw_nor_flood_the_screen(
    demo_workspace: DemoWorkspace, capsys: pytest.CaptureFixture[str], json_too: bool
) -> None:
    long = "“" + "n" * 100_000
    names = ["\x1b]52;c;eA==\x07", "\u202eevil\u2066", long]
    ways = [(name, "\x1b[31m\u202e" + "k" * 100_000, name) for name in names]
    ways += [(names[0], "supersedes", names[1]), (names[1], "supersedes", names[0])]
    ways += [("gone " + name, "", long) for name in names]
    entities = [
        {"type": "entity", "name": n, "entityType": "x", "observations": [f"{i}"]}
        for i, n in enumerate(names)
    ]
    relations = [{"type": "relation", "from": a, "to": b, "relationType": kind} for a, kind, b in ways]
    file = demo_workspace.store_paths[MCP]
    file.write_text("\n".join(json.dumps(each) for each in (*entities, *relations)), "utf-8")
    assert cli.run(["--workspace", str(demo_workspace.path), *["--json"] * json_too, "doctor"]) == 0
    said = capsys.readouterr().out
    assert not set("\x1b\x07\u202e\u2066") & set(said)
    assert len(said) < 30_000
    for code, words in (
        ("loop", "which supersedes"),
        ("self-relation", "from a memory to itself"),
        ("no-kind", "does not say of what kind"),
        ("dangling", "which is no entity"),
    ):
        assert words in said
        assert not json_too or code in {each["code"] for each in json.loads(said)["findings"]}


def test_a_line_is_added_to_the_index_and_taken_back(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    (folder / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    (folder / "lonely.md").chmod(0o600)
    workspace.pull()
    before = all_contents(demo_workspace.folder)
    ailment = one(workspace, "no-line")
    (told,) = workspace.repair([ailment])
    assert "memtui undo" in told
    assert "- [Lonely](lonely.md) — by itself\n" in (folder / "MEMORY.md").read_text()
    assert workspace.doctor() == []
    assert_in_sync(workspace)
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before
    assert_in_sync(workspace)


def test_a_store_that_is_locked_by_a_word_gets_no_line(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    (demo_workspace.store_paths[CLAUDE] / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    workspace.pull()
    workspace.lock_store(CLAUDE, True)
    before = all_contents(demo_workspace.folder)
    ailment = one(workspace, "no-line")
    assert all(told.startswith(("Not mended", "Left")) for told in workspace.repair([ailment]))
    assert all_contents(demo_workspace.folder) == before


def test_a_missing_store_hides_no_other(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    demo_workspace.store_paths[FOUNDER].rename(demo_workspace.folder / "away.db")
    mcp = demo_workspace.store_paths[MCP]
    mcp.write_bytes(mcp.read_bytes() + b"\nno json")
    codes = {(each.store, each.code) for each in workspace.doctor()}
    assert {(FOUNDER, "missing"), (MCP, "bad-line")} <= codes
    assert "is kept" in one(workspace, "missing").meaning


def test_a_busy_store_is_told_as_busy(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    with Agent(demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("PRAGMA locking_mode = EXCLUSIVE")
        agent.execute("BEGIN EXCLUSIVE")
        ailment = one(workspace, "busy")
        assert not ailment.severe
        assert "Nothing is lost" in ailment.meaning
        agent.execute("ROLLBACK")


def test_a_damaged_store_is_grave_and_left_as_it_is(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    data = bytearray(store.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 64] = os.urandom(64)
    store.write_bytes(data)
    ailment = workspace.doctor()[0]
    assert (ailment.store, ailment.code, ailment.severe) == (FOUNDER, "damaged", True)
    assert store.read_bytes() == bytes(data)


def test_a_store_that_became_something_else_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    agent_executes(store, "DROP TABLE memories")
    ailment = workspace.doctor()[0]
    assert (ailment.store, ailment.severe) == (FOUNDER, True)
    assert "Founder OS" in ailment.text


def test_what_keeps_memtui_from_writing_is_told(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    agent_executes(
        store,
        "CREATE TRIGGER audit AFTER UPDATE ON memories BEGIN DELETE FROM observations; END",
    )
    assert "audit" in one(workspace, "trigger").text
    os.link(demo_workspace.store_paths[MCP], demo_workspace.folder / "second-name")
    assert one(workspace, "hard-link").store == MCP


def test_a_store_whose_place_became_a_link_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store = demo_workspace.store_paths[MCP]
    store.rename(demo_workspace.folder / "moved.jsonl")
    store.symlink_to(demo_workspace.folder / "moved.jsonl")
    assert "moved.jsonl" in one(workspace, "symlink").text


def test_a_store_that_every_user_may_read_is_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    store.chmod(0o644)
    assert found(workspace, "world-readable") == [], "a private folder above keeps others out"
    folders = [folder for folder in store.parents if folder.stat().st_mode & 0o001 == 0]
    modes = {folder: folder.stat().st_mode for folder in folders}
    try:
        for folder in folders:
            folder.chmod(folder.stat().st_mode | 0o001)
        ailment = one(workspace, "world-readable")
    finally:
        for folder, mode in modes.items():
            folder.chmod(mode)
    assert ailment.store == FOUNDER
    assert "Memories about a person" in ailment.meaning


def test_hidden_files_of_a_cut_off_write_are_told(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    new = folder / ".MEMORY.md.memtui-12-ab-3.new"
    old = folder / ".MEMORY.md.memtui-12-ab-3.old"
    for file in (new, old, folder / "MEMORY.md.memtui-recovered-1"):
        file.write_text("x")
        file.chmod(0o600)
    strays = found(workspace, "stray")
    assert len(strays) == 3
    told = workspace.repair(strays)
    assert sum(sentence.startswith("Removed") for sentence in told) == 1
    assert not new.exists()
    assert old.exists()


def test_the_doctor_may_look_while_a_person_works(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    troubles: list[BaseException] = []

    def look() -> None:
        try:
            for _ in range(3):
                assert [each for each in workspace.doctor() if each.severe] == []
            workspace.close_thread()
        except BaseException as trouble:
            troubles.append(trouble)

    thread = threading.Thread(target=look)
    thread.start()
    for number in range(5):
        workspace.add({"content": f"Meanwhile {number}"})
    thread.join()
    assert troubles == []
