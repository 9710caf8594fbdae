"""Changes by another memtui between planning and writing, and failures of the write (S-6, S-9)."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from typing import NoReturn

import apsw
import pytest
from peewee import OperationalError

from memtui.errors import Refused
from memtui.formats.contract.plans import Plan, Receipt
from memtui.formats.founder_os import FounderOs
from memtui.formats.mcp_memory.adapter import McpMemory
from memtui.workspace.changes import change_item, outbox
from memtui.workspace.stores import catalog
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    FOUNDER,
    MCP,
    NATIVE,
    SAMPLE,
    DemoWorkspace,
    assert_in_sync,
    contents,
    find_id,
    item_states,
    memory,
)

BeforeWrite = Callable[[Callable[[Workspace], object]], None]


@pytest.fixture
def before_write(demo_workspace: DemoWorkspace, monkeypatch: pytest.MonkeyPatch) -> BeforeWrite:
    """Return a function that lets another memtui act between the next change's planning and its write."""

    def arrange(action: Callable[[Workspace], object]) -> None:
        real = outbox.run

        def run(*values: object, **more: object) -> change_item.Outcome:
            monkeypatch.setattr(outbox, "run", real)
            with demo_workspace.opened() as other:
                action(other)
            return real(*values, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(outbox, "run", run)

    return arrange


def test_undo_of_an_addition_keeps_an_edit_of_another_memtui(
    workspace: Workspace, before_write: BeforeWrite
) -> None:
    (id,) = workspace.add({"content": "Tea at four."}, NATIVE).ids
    before_write(lambda other: other.edit([id], {"content": "Tea at five."}))
    with pytest.raises(Refused, match="changed in the meantime"):
        workspace.undo()
    assert memory(workspace, id).content == "Tea at five."


def test_a_memory_removed_by_another_memtui_is_not_edited(
    workspace: Workspace, before_write: BeforeWrite
) -> None:
    (id,) = workspace.add({"content": "Tea at four."}, NATIVE).ids
    before_write(lambda other: other.undo())
    with pytest.raises(Refused, match="changed in the meantime"):
        workspace.edit([id], {"content": "Tea at five."})
    workspace.redo()
    assert memory(workspace, id).content == "Tea at four."


@pytest.mark.parametrize(("store", "kind"), [(FOUNDER, FounderOs), (MCP, McpMemory)])
def test_a_write_that_fails_after_it_took_effect_is_done(
    demo_workspace: DemoWorkspace,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    store: str,
    kind: type[FounderOs | McpMemory],
) -> None:
    real = kind.apply

    def apply_and_fail(self: FounderOs | McpMemory, plans: Sequence[Plan], token: str) -> Receipt:
        real(self, plans, token)  # type: ignore[arg-type]
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(kind, "apply", apply_and_fail)
    id = find_id(workspace, SAMPLE[store])
    change = workspace.edit([id], {"content": "Tea at four."})
    assert item_states(workspace, change.journal_id) == {("done", "")}
    assert "Tea at four." in repr(contents(demo_workspace.store_paths[store]))
    assert_in_sync(workspace)


def test_a_write_that_fails_before_it_took_effect_is_refused(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: McpMemory, plans: Sequence[Plan], token: str) -> Receipt:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(McpMemory, "apply", broken)
    with pytest.raises(Refused, match="Input/output error"):
        workspace.edit([find_id(workspace, SAMPLE[MCP])], {"content": "Tea at four."})
    assert_in_sync(workspace)


def test_a_failed_write_that_cannot_be_checked_is_settled_later(
    demo_workspace: DemoWorkspace, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> NoReturn:
        raise OSError(errno.EIO, "Input/output error")

    contents_before = contents(demo_workspace.store_paths[MCP])
    id = find_id(workspace, SAMPLE[MCP])
    before = memory(workspace, id)
    with monkeypatch.context() as patch:
        patch.setattr(McpMemory, "apply", broken)
        patch.setattr(McpMemory, "write_state", broken)
        with pytest.raises(Refused, match=r"not tell whether .*: Input/output error"):
            workspace.edit([id], {"content": "Tea at four."})
    assert workspace.journal()[0].state == "intended"
    workspace.mark_seen()  # any change
    assert workspace.journal()[0].state == "failed"
    assert memory(workspace, id) == before
    assert contents(demo_workspace.store_paths[MCP]) == contents_before
    assert_in_sync(workspace)


def test_a_change_succeeds_though_the_store_cannot_be_pulled_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        error = OperationalError("disk I/O error")
        error.orig = apsw.IOError("disk I/O error")  # type: ignore[attr-defined]
        raise error

    monkeypatch.setattr("memtui.workspace.workspace.pull", broken)
    id = find_id(workspace, SAMPLE[MCP])
    workspace._ctx.stale.add(catalog.find_attached(workspace._ctx, MCP).id)
    workspace.pin([id])
    assert memory(workspace, id).pinned
