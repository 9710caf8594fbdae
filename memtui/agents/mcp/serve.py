"""Serving one client over standard input and output, until that ends or a signal comes."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer, build

if TYPE_CHECKING:
    from memtui.workspace.workspace import Workspace


def serve(opened: Workspace, agent: str, store: str, tokenizer: str = "") -> None:
    """Serve an agent, whose memories go into `store`; return when the client has closed the connection. Raise
    Refused if the store is not attached."""
    desk = Desk(opened, agent, store, tokenizer)
    server = build(desk)
    try:
        anyio.run(_serve, server, desk)
    finally:
        _end(desk)


async def _serve(server: MemoryServer, desk: Desk) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_signal, desk)
        await server.run_stdio_async()
        tasks.cancel_scope.cancel()


async def _end_on_signal(desk: Desk) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await anyio.to_thread.run_sync(desk.close)
            _leave()  # a thread waits for the next line of standard input, and would wait for ever


def _end(desk: Desk) -> None:
    if not desk.close():
        _leave()


def _leave() -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(0)
