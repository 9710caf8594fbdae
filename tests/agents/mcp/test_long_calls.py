"""Calls that take long report how far they are, and end when their client does not want them any more."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import nullcontext

import anyio
import pytest
from mcp.client import Client

from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.memory.contradictions.pairs import ScanResult
from memtui.workspace.background import JobControl
from memtui.workspace.workspace import Workspace
from tests.agents.mcp.calling import Calls


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_progress_is_reported_as_it_grows(
    mode: str, work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.add({"content": "Tea is at four.", "key": "tea"})
    reported: list[tuple[float, float | None, str | None]] = []

    def scan(control: JobControl, ids: Sequence[int] | None = None) -> ScanResult:
        for done in (1, 1, 2):
            control.report(done, 3 - done)
            control.nap(0.11)  # reports that follow each other faster are left out
        return ScanResult()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        reported.append((progress, total, message))

    monkeypatch.setattr(work, "scan", scan)
    desk = Desk(nullcontext(work), "scout", "native")
    async with Client(MemoryServer(desk), mode=mode) as client:
        await client.call_tool("memory_contradictions", {}, progress_callback=note)
        await anyio.sleep(0.1)
    assert desk.close()
    assert reported == [(done, 3.0, "Comparing what is new") for done in (1.0, 2.0)]


async def test_a_cancelled_call_ends_and_one_that_waits_is_not_begun(
    work: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.add({"content": "Tea is at four.", "key": "tea"})
    begun, ended = threading.Event(), threading.Event()

    def scan(control: JobControl, ids: Sequence[int] | None = None) -> ScanResult:
        begun.set()
        while not control.stop():
            control.nap(0.01)
        ended.set()
        return ScanResult()

    monkeypatch.setattr(work, "scan", scan)
    desk = Desk(nullcontext(work), "scout", "native")
    fact = {"content": "Cake is at five.", "category": "fact", "key": "cake"}
    async with Client(MemoryServer(desk), mode="legacy") as client:
        await client.list_tools()
        async with anyio.create_task_group() as first:
            first.start_soon(client.call_tool, "memory_contradictions", {})
            await anyio.to_thread.run_sync(begun.wait)
            with anyio.move_on_after(0.1):  # which cancels it
                await client.call_tool("memory_store", fact)
            await anyio.sleep(0.1)
            first.cancel_scope.cancel()
        await anyio.to_thread.run_sync(ended.wait)
        monkeypatch.undo()
        call = Calls(client)
        assert [each["content"] for each in (await call("memory_list"))["memories"]] == ["Tea is at four."]
        assert (await call("memory_store", **fact))["outcome"] == "added"
    assert desk.close()
