"""The doctor: issues, their consequences, and repairs (S-90, S-91; LIMITS 4)."""

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
    """Restrict the modes of all files: in test folders other users may read them."""
    for file in demo_workspace.folder.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)


def issues_of(workspace: Workspace, code: str) -> list[Issue]:
    return [each for each in workspace.doctor() if each.code == code]


def single_issue(workspace: Workspace, code: str) -> Issue:
    (issue,) = issues_of(workspace, code)
    return issue


def run_sql(workspace: Workspace, sql: str, *values: Any) -> None:
    """Damage the workspace with SQL."""
    workspace._ctx.db.run(sql, values)


def test_a_healthy_workspace_has_no_issues(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    before = all_contents(demo_workspace.folder)
    assert workspace.doctor() == []
    assert doctor.damage(workspace._ctx) == ""
    assert all_contents(demo_workspace.folder) == before


def test_an_old_sqlite_is_severe(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuple(map(int, workspace_checks.sqlite_version().split("."))) >= workspace_checks.MIN_SAFE_SQLITE
    monkeypatch.setattr(workspace_checks, "MIN_SAFE_SQLITE", (99, 0, 0))
    issue = workspace.doctor()[0]
    assert (issue.code, issue.severe) == ("sqlite", True)
    assert "can be lost" in issue.meaning


# -- the workspace file


def test_an_outdated_word_index_is_rebuilt(workspace: Workspace) -> None:
    run_sql(workspace, "DELETE FROM words_docsize WHERE id = 3")
    issue = single_issue(workspace, "words")
    assert not issue.severe
    assert workspace.repair([issue]) == ["Rebuilt the text search index from the memories."]
    assert_word_index_intact(workspace)
    assert issues_of(workspace, "words") == []
    assert workspace.search(SAMPLE[FOUNDER]).ids


def test_a_broken_word_index_does_not_make_the_workspace_read_only(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        run_sql(
            workspace,
            "UPDATE words_data SET block = zeroblob(20) WHERE id = (SELECT max(id) FROM words_data)",
        )
    with demo_workspace.opened() as workspace:
        assert not workspace.read_only
        workspace.repair([single_issue(workspace, "words")])
        assert_word_index_intact(workspace)


def test_a_flipped_byte_in_a_stores_text_is_read_again(demo_workspace: DemoWorkspace) -> None:
    text = "Is allergic to nuts"
    replace_in_memories(demo_workspace.path, text, "Is allergic to nXts")
    with demo_workspace.opened() as workspace:
        issue = single_issue(workspace, "text")
        assert issue.severe
        assert "the next time its store is read" in issue.repair
        workspace.repair([issue])
        workspace.pull()
        assert text in memory(workspace, find_id(workspace, SAMPLE[MCP])).content
        assert issues_of(workspace, "text") == []
        assert_in_sync(workspace)


@pytest.mark.parametrize("bad", ["staging hXst", "staging h\udcffst"])
def test_a_flipped_byte_in_an_own_text_is_restored_from_the_journal(
    demo_workspace: DemoWorkspace, bad: str
) -> None:
    replace_in_memories(demo_workspace.path, "staging host", bad)
    with demo_workspace.opened() as workspace:
        issue = single_issue(workspace, "text")
        assert "journal" in issue.repair
        (result,) = workspace.repair([issue])
        assert "content" in result
        assert "staging host" in memory(workspace, find_id(workspace, SAMPLE[NATIVE])).content
        assert workspace.doctor() == []
        assert_word_index_intact(workspace)


def test_a_flipped_byte_without_another_copy_is_only_reported(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        run_sql(workspace, "UPDATE bodies SET after = NULL, before = NULL")
    replace_in_memories(demo_workspace.path, "staging host", "staging hXst")
    with demo_workspace.opened() as workspace:
        issue = single_issue(workspace, "text")
        assert issue.repair == ""
        assert "no other copy" in issue.meaning
        assert workspace.repair([issue])[0].startswith("No automatic repair")


def test_orphaned_rows_are_deleted_except_in_the_journal(workspace: Workspace) -> None:
    db = workspace._ctx.db
    db.run("PRAGMA foreign_keys = OFF")
    run_sql(workspace, "INSERT INTO bodies (item_id) VALUES (9999)")
    run_sql(workspace, "INSERT INTO item_states (item_id, state) VALUES (9999, 'done')")
    run_sql(workspace, "INSERT INTO units (store_id, name, mark) VALUES (77, 'x', 'y')")
    run_sql(workspace, "INSERT INTO relations (store_id, source, kind, target) VALUES (77, 'a', 'b', 'c')")
    run_sql(
        workspace,
        "INSERT INTO journal_items (journal_id, memory_id, uid, store_id, fields) "
        "VALUES (9999, 1, 'x', 1, '{}')",
    )
    issues = issues_of(workspace, "orphans")
    assert len(issues) == 5
    assert all("1 row in " in each.text and " refers to rows missing from " in each.text for each in issues)
    results = workspace.repair(issues)
    assert sum("Deleted 1 orphaned row from " in result for result in results) == 4
    (remaining,) = issues_of(workspace, "orphans")
    assert remaining.place == "journal_items → journal"
    assert remaining.repair == ""


def test_a_local_relation_to_a_missing_memory_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    host, mock, francs = (find_id(workspace, SAMPLE[name]) for name in (NATIVE, CLAUDE, FOUNDER))
    workspace.relate(host, "based on", mock)
    workspace.relate(host, "refines", francs)
    workspace.relate(find_id(workspace, SAMPLE[MCP]), "refines", francs)
    (parcels,) = workspace.search("Dock Street").ids
    workspace.relate(francs, "supports", parcels)
    workspace.detach(MCP)
    workspace.dismiss([mock])
    assert issues_of(workspace, "loose-tie") == [], "a dismissed memory still exists"
    agent_executes(
        demo_workspace.store_paths[FOUNDER],
        "DELETE FROM memories WHERE content LIKE '%in francs%' OR content LIKE '%Dock%'",
    )
    workspace.pull()
    issue = single_issue(workspace, "loose-tie")
    uid, missing_uid = (memory(workspace, id).uid for id in (host, francs))
    assert (issue.store, issue.place, issue.repair) == ("", f"memory {uid}", "")
    assert "“refines”" in issue.text
    assert "staging host" in issue.text
    assert "Offers to Swiss clients" in issue.text
    assert f"memtui restore {missing_uid}" in issue.meaning
    workspace.unrelate(host, "refines", francs)
    assert issues_of(workspace, "loose-tie") == []
    run_sql(workspace, "UPDATE local_relations SET target = 'nobody' WHERE source_id = ?", host)
    assert "nobody, which no longer exists" in single_issue(workspace, "loose-tie").text


def test_many_dangling_local_relations_are_counted(workspace: Workspace) -> None:
    host = find_id(workspace, SAMPLE[NATIVE])
    for number in range(130):
        run_sql(
            workspace,
            "INSERT INTO local_relations (source_id, target, kind) VALUES (?, ?, 'k')",
            host,
            f"u{number}",
        )
    issues = issues_of(workspace, "loose-tie")
    assert len(issues) == 101
    assert issues[-1].text == "30 more relations like these."


def test_open_permissions_are_repaired(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    demo_workspace.path.chmod(0o644)
    issue = single_issue(workspace, "permissions")
    assert "600" in issue.repair
    workspace.repair([issue])
    assert demo_workspace.path.stat().st_mode & 0o777 == 0o600
    demo_workspace.path.parent.chmod(0o777)
    assert single_issue(workspace, "permissions").severe
    workspace.repair(issues_of(workspace, "permissions"))
    assert demo_workspace.path.parent.stat().st_mode & 0o777 == 0o755
    assert workspace.doctor() == []


def test_a_workspace_replaced_while_open_is_noticed(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    assert not workspace_checks.has_moved(workspace._ctx)
    demo_workspace.path.rename(demo_workspace.path.with_name("elsewhere.db"))
    assert workspace.doctor()[0].code == "moved"
    demo_workspace.path.write_bytes(b"")
    assert workspace.doctor()[0].code == "moved"
    demo_workspace.path.unlink()
    demo_workspace.path.with_name("elsewhere.db").rename(demo_workspace.path)
    assert issues_of(workspace, "moved") == []


def test_a_newer_workspace_is_not_repaired(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        run_sql(workspace, "PRAGMA user_version = 9999")
        run_sql(workspace, "DELETE FROM words_docsize WHERE id = 3")
    with demo_workspace.opened() as workspace:
        assert "newer version of memtui" in single_issue(workspace, "read-only").text
        issue = Issue("", "words", "words", "It is out of step.", repair="rebuilds it")
        (result,) = workspace.repair([issue])
        assert result.startswith("Could not repair")


_DYING_PROGRAM = """
import os, sys
from pathlib import Path
from memtui.workspace.workspace import Workspace
step = lambda name: os._exit(9) if name == "after the foreign write" else None
workspace = Workspace.open(Path(sys.argv[1]), on_step=step)
workspace.dismiss(list(workspace.search("allergic").ids))
"""


def test_an_interrupted_change_is_reported_until_it_is_settled(demo_workspace: DemoWorkspace) -> None:
    store = demo_workspace.store_paths[MCP]
    completed = subprocess.run(
        [sys.executable, "-c", _DYING_PROGRAM, str(demo_workspace.path)], capture_output=True, check=False
    )
    assert completed.returncode == 9, completed.stderr
    away = store.rename(store.with_name("away"))
    with demo_workspace.opened() as workspace:
        issue = single_issue(workspace, "unsettled")
        assert issue.store == MCP
        assert workspace.repair([issue])[0].startswith("Interrupted change still pending")
        assert single_issue(workspace, "missing").severe
        away.rename(store)
        workspace.repair([issue])
        assert issues_of(workspace, "unsettled") == []
        assert_in_sync(workspace)


_HOLDING_PROGRAM = """
import sys
from pathlib import Path
from memtui.workspace.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]))
workspace.add({"content": "Held."})
print("ready", flush=True)
sys.stdin.readline()
"""


def test_stale_leases_are_reported_and_those_of_running_processes_are_not(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _HOLDING_PROGRAM, str(demo_workspace.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    assert issues_of(workspace, "stale-leases") == []
    child.kill()
    child.wait()
    child.stdin.close()
    child.stdout.close()
    issue = single_issue(workspace, "stale-leases")
    workspace.repair([issue])
    assert issues_of(workspace, "stale-leases") == []


def test_an_unfinished_backup_is_removed(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    folder = demo_workspace.path.with_name(demo_workspace.path.name + ".backups")
    folder.mkdir(mode=0o700, exist_ok=True)
    (folder / ".20260101-000000-abc.db").touch(mode=0o600)
    issue = single_issue(workspace, "half-backup")
    workspace.repair([issue])
    assert not list(folder.glob(".*"))


def _git(*words: str, at: Path) -> None:
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@y", *words], cwd=at, check=True, capture_output=True
    )


def test_stores_tracked_by_git_are_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace, tmp_path: Path
) -> None:
    _git("init", at=demo_workspace.folder)
    assert "doesn't ignore" in single_issue(workspace, "git").text
    (demo_workspace.folder / ".gitignore").write_text("workspace/\n")
    assert issues_of(workspace, "git") == []
    marker = tmp_path / "ran"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\n")
    hook.chmod(0o755)
    _git("add", "-A", at=demo_workspace.folder)
    _git("config", "core.fsmonitor", str(hook), at=demo_workspace.folder)
    marker.unlink(missing_ok=True)
    assert {each.store for each in issues_of(workspace, "git")} == {FOUNDER, CLAUDE, MCP}
    assert "personal memories" in next(e for e in issues_of(workspace, "git") if e.store == FOUNDER).meaning
    assert not marker.exists(), "settings of a repository must not run programs"


def test_a_full_disk_is_reported_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "LOW_SPACE", 1 << 60)
    assert single_issue(workspace, "disk").store == ""


# -- stores


def test_findings_explain_their_consequences(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    agent_executes(
        demo_workspace.store_paths[FOUNDER], "UPDATE memories SET category = 'odd' WHERE rowid = 1"
    )
    mcp = demo_workspace.store_paths[MCP]
    mcp.write_bytes(mcp.read_bytes() + b'\n{"type":"entity","name":"To')
    (demo_workspace.store_paths[CLAUDE] / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    by_code = {each.code: each for each in workspace.doctor()}
    assert "don't find it" in by_code["odd-category"].meaning
    assert by_code["bad-line"].severe
    assert "find this memory only if they happen to open the file" in by_code["no-line"].meaning
    assert [each.severe for each in workspace.doctor()] == sorted(
        (e.severe for e in by_code.values()), reverse=True
    )


def test_every_finding_code_of_the_formats_has_help() -> None:
    """The codes are read from the sources of the formats, so that none is forgotten."""
    for format in registry.formats():
        module_path = Path(inspect.getfile(format))
        folder = module_path.parent
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


def test_every_code_of_the_relation_checks_has_help() -> None:
    for format in registry.formats():
        assert [
            code for code in relation_checks.CODES if not finding_help.meaning(format(Path()), code)
        ] == []


def test_broken_relations_are_reported(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
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
    issues = {each.code: each for each in workspace.doctor()}
    assert issues.keys() == {"loop", "dangling"}, "a finding of the reader is listed once"
    loop = issues["loop"]
    assert (loop.store, loop.repair, loop.severe) == (MCP, "", False)
    assert loop.place in ("memory.jsonl, New", "memory.jsonl, Old")
    assert "go in circles" in loop.meaning
    assert all_contents(demo_workspace.folder) == before
    workspace.pull()
    (findings,) = (info.findings for info in workspace.stores() if info.name == MCP)
    assert [each.code for each in findings] == ["dangling"], "a pull keeps only the reader's findings"


def test_a_long_place_is_shortened(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    sql = "UPDATE memories SET category = 'odd', key = ? WHERE rowid = 1"
    agent_executes(demo_workspace.store_paths[FOUNDER], sql, "k" * 100_000)
    assert len(single_issue(workspace, "odd-category").place) < 1_000


@pytest.mark.parametrize("as_json", [False, True])
def test_hostile_names_are_escaped_and_shortened(
    demo_workspace: DemoWorkspace, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    long = "“" + "n" * 100_000
    names = ["\x1b]52;c;eA==\x07", "\u202eevil\u2066", long]
    triples = [(name, "\x1b[31m\u202e" + "k" * 100_000, name) for name in names]
    triples += [(names[0], "supersedes", names[1]), (names[1], "supersedes", names[0])]
    triples += [("gone " + name, "", long) for name in names]
    entities = [
        {"type": "entity", "name": n, "entityType": "x", "observations": [f"{i}"]}
        for i, n in enumerate(names)
    ]
    relations = [{"type": "relation", "from": a, "to": b, "relationType": kind} for a, kind, b in triples]
    file = demo_workspace.store_paths[MCP]
    file.write_text("\n".join(json.dumps(each) for each in (*entities, *relations)), "utf-8")
    assert cli.run(["--workspace", str(demo_workspace.path), *["--json"] * as_json, "doctor"]) == 0
    output = capsys.readouterr().out
    assert not set("\x1b\x07\u202e\u2066") & set(output)
    assert len(output) < 30_000
    for code, words in (
        ("loop", "Replacement loop: "),
        ("self-relation", "points back to the same memory"),
        ("no-kind", "has no kind"),
        ("dangling", "there is no such entity"),
    ):
        assert words in output
        assert not as_json or code in {each["code"] for each in json.loads(output)["findings"]}


def test_a_missing_index_line_is_added_and_undone(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    (folder / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    (folder / "lonely.md").chmod(0o600)
    workspace.pull()
    before = all_contents(demo_workspace.folder)
    issue = single_issue(workspace, "no-line")
    (result,) = workspace.repair([issue])
    assert "memtui undo" in result
    assert "- [Lonely](lonely.md) — by itself\n" in (folder / "MEMORY.md").read_text()
    assert workspace.doctor() == []
    assert_in_sync(workspace)
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before
    assert_in_sync(workspace)


def test_a_locked_store_is_not_repaired(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    (demo_workspace.store_paths[CLAUDE] / "lonely.md").write_text(
        "---\nname: Lonely\ndescription: by itself\ntype: user\n---\n\nIt is alone.\n"
    )
    workspace.pull()
    workspace.lock_store(CLAUDE, True)
    before = all_contents(demo_workspace.folder)
    issue = single_issue(workspace, "no-line")
    assert all(result.startswith(("Could not repair", "Left")) for result in workspace.repair([issue]))
    assert all_contents(demo_workspace.folder) == before


def test_a_missing_store_does_not_hide_others(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    demo_workspace.store_paths[FOUNDER].rename(demo_workspace.folder / "away.db")
    mcp = demo_workspace.store_paths[MCP]
    mcp.write_bytes(mcp.read_bytes() + b"\nno json")
    codes = {(each.store, each.code) for each in workspace.doctor()}
    assert {(FOUNDER, "missing"), (MCP, "bad-line")} <= codes
    assert "keeps showing" in single_issue(workspace, "missing").meaning


def test_a_locked_database_is_reported_as_busy(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    with Agent(demo_workspace.store_paths[FOUNDER]) as agent:
        agent.execute("PRAGMA locking_mode = EXCLUSIVE")
        agent.execute("BEGIN EXCLUSIVE")
        issue = single_issue(workspace, "busy")
        assert not issue.severe
        assert "Nothing is lost" in issue.meaning
        agent.execute("ROLLBACK")


def test_a_damaged_store_is_severe_and_unchanged(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    data = bytearray(store.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 64] = os.urandom(64)
    store.write_bytes(data)
    issue = workspace.doctor()[0]
    assert (issue.store, issue.code, issue.severe) == (FOUNDER, "damaged", True)
    assert store.read_bytes() == bytes(data)


def test_a_store_that_lost_its_format_is_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    agent_executes(store, "DROP TABLE memories")
    issue = workspace.doctor()[0]
    assert (issue.store, issue.severe) == (FOUNDER, True)
    assert "Founder OS" in issue.text


def test_obstacles_to_writing_are_reported(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    agent_executes(
        store,
        "CREATE TRIGGER audit AFTER UPDATE ON memories BEGIN DELETE FROM observations; END",
    )
    assert "audit" in single_issue(workspace, "trigger").text
    os.link(demo_workspace.store_paths[MCP], demo_workspace.folder / "second-name")
    assert single_issue(workspace, "hard-link").store == MCP


def test_a_store_replaced_by_a_link_is_reported(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    store = demo_workspace.store_paths[MCP]
    store.rename(demo_workspace.folder / "moved.jsonl")
    store.symlink_to(demo_workspace.folder / "moved.jsonl")
    assert "moved.jsonl" in single_issue(workspace, "symlink").text


def test_a_world_readable_store_is_reported(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    store = demo_workspace.store_paths[FOUNDER]
    store.chmod(0o644)
    assert issues_of(workspace, "world-readable") == [], "a private parent folder keeps others out"
    folders = [folder for folder in store.parents if folder.stat().st_mode & 0o001 == 0]
    modes = {folder: folder.stat().st_mode for folder in folders}
    try:
        for folder in folders:
            folder.chmod(folder.stat().st_mode | 0o001)
        issue = single_issue(workspace, "world-readable")
    finally:
        for folder, mode in modes.items():
            folder.chmod(mode)
    assert issue.store == FOUNDER
    assert "personal memories" in issue.meaning


def test_files_left_by_an_interrupted_write_are_reported(
    demo_workspace: DemoWorkspace, workspace: Workspace
) -> None:
    folder = demo_workspace.store_paths[CLAUDE]
    new = folder / ".MEMORY.md.memtui-12-ab-3.new"
    old = folder / ".MEMORY.md.memtui-12-ab-3.old"
    for file in (new, old, folder / "MEMORY.md.memtui-recovered-1"):
        file.write_text("x")
        file.chmod(0o600)
    strays = issues_of(workspace, "stray")
    assert len(strays) == 3
    results = workspace.repair(strays)
    assert sum(result.startswith("Removed") for result in results) == 1
    assert not new.exists()
    assert old.exists()


def test_the_doctor_runs_while_the_user_works(demo_workspace: DemoWorkspace, workspace: Workspace) -> None:
    errors: list[BaseException] = []

    def run_doctor() -> None:
        try:
            for _ in range(3):
                assert [each for each in workspace.doctor() if each.severe] == []
            workspace.close_thread()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run_doctor)
    thread.start()
    for number in range(5):
        workspace.add({"content": f"Meanwhile {number}"})
    thread.join()
    assert errors == []
