"""File stores: changes are atomic and safe next to other writers."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.errors import Refused
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.contract.plans import Plan, Write, WriteState
from memtui.formats.contract.records import Record
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.formats.media.files import atomic_write
from memtui.formats.media.files.draft import Draft
from tests.formats.files.support import REPOSITORY
from tests.support.stores import mcp_memory
from tests.support.stores.files import apply, apply_plans, read_tree, record_with, reload_plan, undo, write


def test_plans_survive_json(folder: ClaudeCode) -> None:
    for plan in folder.plan([write("dismiss", record) for record in folder.read().records]):
        assert isinstance(plan, Plan)
        assert reload_plan(folder, plan) == plan


def test_plans_with_bytes_that_are_not_text_survive_json(tmp_path: Path) -> None:
    store = mcp_memory.make(tmp_path / "m.jsonl", mcp_memory.DIALECTS["a line that is not UTF-8"])
    before = read_tree(tmp_path)
    (near,) = [record for record in store.read().records if record.placeholder]
    undo(store, apply(store, write("edit", near, content="next to it")))
    assert read_tree(tmp_path) == before


def test_nothing_is_written_if_a_file_changed_after_the_plan(folder: ClaudeCode) -> None:
    plans = [
        reload_plan(folder, plan)
        for plan in folder.plan([write("dismiss", record_with(folder, "scientist"))])
    ]
    index = folder.root / "MEMORY.md"
    index.write_text(index.read_text() + "- theirs\n")
    before = read_tree(folder.root)
    with pytest.raises(Refused, match="changed during"):
        folder.apply(plans, "token")
    assert read_tree(folder.root) == before


# Without an exchange, a replacement at the very last moment cannot be seen, so no test has one.
LATE = [("exchange", "writes"), ("exchange", "replaces"), ("exchange", "writes later"), ("link", "writes")]


@pytest.mark.parametrize(
    ("exchange_mode", "event"), [*LATE, ("link", "writes later")], indirect=["exchange_mode"]
)
def test_a_write_by_another_program_at_the_last_moment_wins(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch, exchange_mode: str, event: str
) -> None:
    (plan,) = file.plan([write("edit", record_with(file, "London"), content="lives in Paris")])
    name = "_exchange" if exchange_mode == "exchange" else "samefile"
    real = getattr(atomic_write, name) if exchange_mode == "exchange" else os.path.samefile
    happened = False

    def late(source: Path, target: Path) -> bool:
        nonlocal happened
        first, happened = not happened, True
        exchanged = (
            bool(real(source, target))
            if event == "writes later" or not first or exchange_mode == "link"
            else True
        )
        if first and event == "replaces":
            (file.folder / "t").write_bytes(b"theirs")
            os.rename(file.folder / "t", file.root)
        elif first:
            (file.root if event == "writes" or exchange_mode == "link" else source).write_bytes(b"theirs")
        return (
            exchanged
            if event == "writes later" or not first or exchange_mode == "link"
            else bool(real(source, target))
        )

    monkeypatch.setattr(*((atomic_write, name) if exchange_mode == "exchange" else (os.path, name)), late)
    with pytest.raises(Refused, match="changed during"):
        file.apply([reload_plan(file, plan)], "token")
    assert read_tree(file.folder) == {"memory.jsonl": b"theirs"}


def test_a_system_that_can_neither_exchange_nor_link_is_refused(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*rest: object, **more: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    monkeypatch.setattr(os, "link", link)
    (plan,) = file.plan([write("edit", record_with(file, "London"), content="lives in Paris")])
    before = read_tree(file.folder)
    with pytest.raises(Refused, match="atomic replacement"):
        file.apply([reload_plan(file, plan)], "token")
    assert read_tree(file.folder) == before


def test_a_file_name_of_the_maximal_length_is_written(tmp_path: Path, exchange_mode: str) -> None:
    store = mcp_memory.make(tmp_path / ("é" * 124 + ".jsonl"))
    plans = apply(store, write("edit", record_with(store, "London"), content="lives in Paris"))
    undo(store, plans)
    assert read_tree(tmp_path) == {store.root.name: mcp_memory.PLAIN}


def test_nothing_is_written_if_a_file_changes_after_it_was_linked(
    folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_write, "_rename", lambda *rest: False)
    plans = [
        reload_plan(folder, plan)
        for plan in folder.plan([write("dismiss", record_with(folder, "scientist"))])
    ]
    index, real = folder.root / "MEMORY.md", os.link
    expected = {**read_tree(folder.root), "MEMORY.md": b"theirs"}

    def late(source: str, target: str, **more: bool) -> None:
        """Change the file as another program after it was checked and before it is replaced."""
        real(source, target, **more)
        if str(target).endswith(".old"):
            index.write_bytes(b"theirs")

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(Refused, match="changed during"):
        folder.apply(plans, "token")
    assert read_tree(folder.root) == expected


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_error_leaves_no_partial_write(
    folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    before, real = read_tree(folder.root), os.fsync
    writes = [
        write("dismiss", record_with(folder, "scientist")),
        write("edit", record_with(folder, "Run"), content="x"),
    ]
    writes.append(write("add", content="New."))
    failed = 0
    for fatal in range(1, 20):
        calls = 0

        def fsync(fd: int) -> None:
            nonlocal calls
            calls += 1
            if calls == fatal:  # noqa: B023
                raise OSError(code, os.strerror(code))
            real(fd)

        monkeypatch.setattr(os, "fsync", fsync)
        plans = [reload_plan(folder, plan) for plan in folder.plan(writes)]
        try:
            folder.apply(plans, "token")
        except Refused:
            failed += 1
        else:
            monkeypatch.setattr(os, "fsync", real)
            undo(folder, plans)
        assert read_tree(folder.root) == before
    assert failed >= 6


def test_a_file_that_cannot_be_restored_is_named(folder: ClaudeCode, monkeypatch: pytest.MonkeyPatch) -> None:
    plans = [
        reload_plan(folder, plan)
        for plan in folder.plan([write("dismiss", record_with(folder, "scientist"))])
    ]
    real, calls = atomic_write.change, []

    def change(root: Path, name: str, *rest: object, **more: object) -> None:
        calls.append(name)
        if len(calls) > 1:
            raise OSError(errno.EIO, "Input/output error")
        real(root, name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic_write, "change", change)
    with pytest.raises(Refused, match=r"Could not restore user_role\.md"):
        folder.apply(plans, "token")
    monkeypatch.undo()
    assert folder.write_state(plans, "token") is WriteState.PARTLY


def test_a_file_keeps_its_mode(file: McpMemory) -> None:
    file.root.chmod(0o644)
    undo(file, apply(file, write("edit", record_with(file, "London"), content="x")))
    assert file.root.stat().st_mode & 0o777 == 0o644


def test_a_hard_linked_file_is_refused(file: McpMemory, tmp_path: Path) -> None:
    os.link(file.root, tmp_path / "other")
    (plan,) = file.plan([write("edit", record_with(file, "London"), content="x")])
    with pytest.raises(Refused, match="more than one hard link"):
        file.apply([reload_plan(file, plan)], "token")
    assert file.root.read_bytes() == mcp_memory.PLAIN


def test_a_hard_linked_file_is_not_removed(folder: ClaudeCode, tmp_path: Path) -> None:
    before = read_tree(folder.root)
    os.link(folder.root / "user_role.md", tmp_path / "other")
    (plan,) = folder.plan([Write("dismiss", "user_role.md", {"status": "dismissed"}, {}, 0.0)])
    with pytest.raises(Refused, match="more than one hard link"):
        folder.apply([reload_plan(folder, plan)], "token")
    assert read_tree(folder.root) == before


@pytest.mark.parametrize("name", ["../x.md", "/tmp/x.md", "sub/../../x.md"])
def test_a_plan_cannot_lead_out_of_the_store(folder: ClaudeCode, name: str) -> None:
    (plan,) = folder.plan([write("add", content="New.")])
    assert isinstance(plan, Plan)
    dumped = folder.dump_plan(plan)
    dumped["edits"][0]["name"] = name
    with pytest.raises(Refused, match="outside the store"):
        folder.apply([folder.load_plan(dumped)], "token")


def test_no_change_follows_a_symlink(folder: ClaudeCode, tmp_path: Path) -> None:
    plans = apply(folder, write("dismiss", record_with(folder, "scientist")))
    (folder.root / "user_role.md").symlink_to(tmp_path / "elsewhere.md")
    planned = folder.reverse(plans)
    for undo_plan in planned:
        apply_plans(folder, [undo_plan])
    assert record_with(folder, "scientist").ref == "user_role_2.md"
    assert not (tmp_path / "elsewhere.md").exists()
    assert (folder.root / "user_role.md").is_symlink()


def test_a_write_that_would_change_another_memory_is_left_out_of_a_batch(
    file: McpMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A faulty format is caught before it writes, because its draft is read back first."""
    real = McpMemory.revise

    def faulty(self: McpMemory, draft: Draft, record: Record | None, change: Write) -> None:
        real(self, draft, record, change)
        if change.fields["content"] == "likes cats":
            at = draft.files["memory.jsonl"].index(b"has a mill")
            draft.splice("memory.jsonl", at, at + 3, b"had")

    monkeypatch.setattr(McpMemory, "revise", faulty)
    records = file.read().records
    texts = ["drinks tea", "writes", "likes cats", "runs"]
    planned = file.plan([write("edit", r, content=t) for r, t in zip(records[:4], texts, strict=True)])
    assert [isinstance(result, Refused) for result in planned] == [False, False, True, False]
    assert isinstance(planned[2], Refused)
    assert planned[2].message == "Not saved: it would also have changed memory.jsonl, Analytical Engine."


_CONCURRENT_ADDS = """
import sys
from pathlib import Path
from memtui.errors import Refused
from memtui.formats.mcp_memory import McpMemory
from tests.support.stores.files import write

store, writer = McpMemory(Path(sys.argv[1])), sys.argv[2]
sys.stdin.readline()
for number in range(15):
    while True:
        try:
            store.apply(store.plan([write("add", subject="Bo", content=f"{writer} {number}")]), writer)
            break
        except Refused as refusal:
            assert refusal.code in ("changed", "busy"), refusal.message
"""


def test_concurrent_writers_lose_nothing(file: McpMemory) -> None:
    command = [sys.executable, "-c", _CONCURRENT_ADDS, str(file.root)]
    children = [
        subprocess.Popen([*command, me], cwd=REPOSITORY, stdin=subprocess.PIPE, text=True) for me in "abc"
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.close()
    assert [child.wait() for child in children] == [0, 0, 0]
    texts = [r.fields["content"] for r in file.read().records if r.fields["subject"] == "Bo"]
    assert sorted(texts) == sorted(f"{me} {number}" for me in "abc" for number in range(15))
    assert list(read_tree(file.folder)) == ["memory.jsonl"]


def test_a_folder_locked_by_another_memtui_is_busy(file: McpMemory) -> None:
    with (
        atomic_write.lock_folder(file.folder),
        pytest.raises(Refused, match="another memtui"),
        atomic_write.lock_folder(file.folder, patience=0),
    ):
        pass
