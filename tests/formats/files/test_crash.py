"""File stores: a write interrupted by a crash is recognised and finished or left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.contract.plans import WriteState
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.files.hunks import is_applied
from tests.formats.files.support import LINES, REPOSITORY, draft_of
from tests.support.stores import claude_code, mcp_memory
from tests.support.stores.files import apply, read_tree, record_with, reload_plan, undo, write
from tests.support.stores.mcp_memory import entity, lines

ADDED = {"subject": "Bo", "content": "has a boat"}


_KILLED_WRITES = """
import json, os, sys
from pathlib import Path
from memtui.formats.media.files import atomic_write
from tests.support.stores import claude_code
from tests.support.stores.files import record_with, reload_plan, write

for last in range(1, 100):
    base = Path(sys.argv[1]) / str(last)
    store = claude_code.make(base / "memory")
    writes = [write("dismiss", record_with(store, "scientist")), write("add", content="New.")]
    writes.append(write("edit", record_with(store, "Run the"), title="T", content="C"))
    plans = [reload_plan(store, plan) for plan in store.plan(writes)]
    (base / "plans.json").write_text(json.dumps([store.dump_plan(plan) for plan in plans]))
    child = os.fork()
    if child == 0:
        calls = 0
        def dying(real):
            def call(*rest, **more):
                global calls
                calls += 1
                if calls == last:
                    os._exit(9)
                return real(*rest, **more)
            return call
        for name in ("link", "rename", "replace", "unlink", "fsync"):
            setattr(os, name, dying(getattr(os, name)))
        dead = dying(atomic_write._rename) if sys.argv[2] == "exchange" else lambda *rest: False
        atomic_write._rename = dead
        store.apply(plans, "token")
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
"""


def test_a_write_killed_at_any_step_is_recognised_and_finished(tmp_path: Path, exchange_mode: str) -> None:
    """Kill a process at every step of a change of four files."""
    subprocess.run(
        [sys.executable, "-c", _KILLED_WRITES, str(tmp_path), exchange_mode], cwd=REPOSITORY, check=True
    )
    cuts = sorted(tmp_path.iterdir(), key=lambda path: int(path.name))
    before = {name: text.encode() for name, text in claude_code.FILES.items()}
    after = read_tree(cuts[-1] / "memory")
    assert len(cuts) > 15
    assert not any(name.startswith(".") for name in after)
    met = set()
    for cut_off in cuts:
        store = ClaudeCode(cut_off / "memory")
        plans = [store.load_plan(saved) for saved in json.loads((cut_off / "plans.json").read_text())]
        standing = store.write_state(plans, "token")
        met.add(standing)
        if standing is WriteState.BEFORE:
            assert read_tree(store.root) == before
            continue
        receipt = store.finish(plans, "token")
        assert read_tree(store.root) == after
        assert receipt.removed_refs == ["user_role.md"]
        assert {record.ref for record in receipt.records} == {"feedback_testing.md", "project_new.md"}
        undo(store, plans)
        assert read_tree(store.root) == before
    assert met == {WriteState.BEFORE, WriteState.PARTLY, WriteState.AFTER}


def test_a_write_followed_by_another_program_after_a_crash_is_not_finished(folder: ClaudeCode) -> None:
    plans = apply(folder, write("dismiss", record_with(folder, "scientist")))
    (folder.root / "MEMORY.md").write_text("theirs")
    assert folder.write_state(plans, "token") is WriteState.OTHER
    with pytest.raises(Refused):
        folder.finish(plans, "token")
    assert (folder.root / "MEMORY.md").read_text() == "theirs"


def test_a_set_aside_original_that_was_changed_is_restored(file: McpMemory) -> None:
    plans = apply(file, write("edit", record_with(file, "London"), content="lives in Paris"))
    aside = file.folder / ".memory.jsonl.memtui-token.old"
    aside.write_bytes(mcp_memory.PLAIN + b"\n\n")
    assert file.write_state(plans, "token") is WriteState.BEFORE
    assert read_tree(file.folder) == {"memory.jsonl": mcp_memory.PLAIN + b"\n\n"}


def test_a_set_aside_original_never_replaces_a_newer_file(file: McpMemory) -> None:
    plans = apply(file, write("edit", record_with(file, "London"), content="lives in Paris"))
    (file.folder / ".memory.jsonl.memtui-token.old").write_bytes(mcp_memory.PLAIN + b"\n\n")
    newer = file.root.read_bytes() + b"\n" + lines(entity("Cid", "three days of work"))[0].encode()
    file.root.write_bytes(newer)
    assert file.write_state(plans, "token") is WriteState.OTHER
    assert read_tree(file.folder) == {
        "memory.jsonl": newer,
        "memory.jsonl.memtui-recovered-1": mcp_memory.PLAIN + b"\n\n",
    }


def test_a_write_killed_after_linking_leaves_one_name(file: McpMemory) -> None:
    (plan,) = file.plan([write("edit", record_with(file, "London"), content="lives in Paris")])
    os.link(file.root, file.folder / ".memory.jsonl.memtui-token.old")
    file.root.write_bytes(mcp_memory.PLAIN + b"\n\n")
    assert file.write_state([reload_plan(file, plan)], "token") is WriteState.BEFORE
    assert read_tree(file.folder) == {"memory.jsonl": mcp_memory.PLAIN + b"\n\n"}
    assert file.root.stat().st_nlink == 1


def test_the_state_of_a_write_is_known_after_an_agent_appends(file: McpMemory) -> None:
    for action, fields in (("edit", {"content": "lives in Paris"}), ("dismiss", {}), ("add", ADDED)):
        file.root.write_bytes(mcp_memory.PLAIN)
        record = None if action == "add" else record_with(file, "London")
        (planned,) = file.plan([write(action, record, **fields)])
        plan = reload_plan(file, planned)
        appended = b"\n" + lines(entity("Cid", "new"))[0].encode()
        file.root.write_bytes(mcp_memory.PLAIN + appended)
        assert file.write_state([plan], "token") is WriteState.BEFORE
        file.root.write_bytes(mcp_memory.PLAIN)
        file.apply([plan], "token")
        file.root.write_bytes(file.root.read_bytes() + appended)
        assert file.write_state([plan], "token") is WriteState.AFTER
        receipt = file.finish([plan], "token")
        assert not plan.ref_after or plan.ref_after in [r.ref for r in receipt.records]
        assert action != "dismiss" or receipt.removed_refs == [plan.ref]
        undo(file, [plan])
        assert file.root.read_bytes() == mcp_memory.PLAIN + appended


@given(
    st.integers(0, 8),
    st.sampled_from([b"", b"another text\n", b"line number 4 of that file\n"]),
    st.booleans(),
    st.sampled_from([b"", b"theirs\n"]),
    st.integers(-1, 8),
)
def test_the_state_of_a_change_is_never_wrong(
    line: int, new: bytes, insert: bool, prefix: bytes, removed: int
) -> None:
    """Whatever others add around a change or remove next to it, its state is right or unknown."""
    start = LINES.index(b"line number %d" % line)
    end = start if insert else LINES.index(b"\n", start) + 1
    draft = draft_of(LINES, lambda draft: draft.splice("f", start, end, new))
    removed_line = b"line number %d of this file\n" % removed
    for data, wrong in ((LINES, True), (draft.files["f"], False)):
        if draft.edits and (removed != line or insert):
            applied = is_applied(prefix + data.replace(removed_line, b"") + b"last\n", draft.edits)
            assert applied is not wrong
            # Nothing follows the last line that could show where it was.
            assert applied is not None or removed >= 0 or prefix + new or line == 8


def test_a_partial_dismissal_is_finished_next_to_a_change_of_an_agent(tmp_path: Path) -> None:
    note = "---\nname: Tea\ndescription: tea\ntype: user\n---\n\nLikes tea.\n"
    entry = "- [Tea](user_tea.md) — tea\n"
    store = claude_code.make(tmp_path / "memory", {"MEMORY.md": entry, "user_tea.md": note})
    (planned,) = store.plan([write("dismiss", record_with(store, "tea"))])
    plan = reload_plan(store, planned)
    (store.root / "user_tea.md").unlink()
    (store.root / "MEMORY.md").write_text(entry + "- agent note\n")
    assert store.write_state([plan], "token") is WriteState.PARTLY
    receipt = store.finish([plan], "token")
    assert (receipt.removed_refs, receipt.records) == (["user_tea.md"], [])
    assert read_tree(store.root) == {"MEMORY.md": b"- agent note\n"}
    undo(store, [plan])
    assert record_with(store, "Likes tea").fields["title"] == "Tea"
    assert (store.root / "MEMORY.md").read_text().splitlines().count("- agent note") == 1


def test_a_symlink_in_place_of_a_file_is_another_state(folder: ClaudeCode, tmp_path: Path) -> None:
    plans = apply(folder, write("dismiss", record_with(folder, "scientist")))
    (folder.root / "MEMORY.md").unlink()
    (folder.root / "MEMORY.md").symlink_to(tmp_path)
    assert folder.write_state(plans, "token") is WriteState.OTHER
