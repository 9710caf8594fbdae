"""Serving an agent: over standard input and output until that ends, or over HTTP until a signal comes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from memtui.agents.mcp import logs
from memtui.agents.mcp.desk import Desk
from memtui.agents.mcp.server import MemoryServer
from memtui.agents.mcp.stdio import wire

# Gives a client its access to the server, until it or the server ends.
Transport = Callable[[MemoryServer], Awaitable[None]]
_GREETING = 0.25  # seconds in which a client can be greeted before the workspace is opened
_LATEST = 0.8  # seconds after its client in which the program has ended


def serve(desk: Desk, transport: Transport, told: Callable[[Exception], int]) -> None:
    """Serve an agent; return when the client has closed the connection, leave on a signal. If the workspace
    cannot be opened, `told` is called with the reason, and the process ends with its exit code."""
    logs.to_standard_error()
    try:
        anyio.run(_serve, MemoryServer(desk), desk, transport, told)
    finally:
        if not desk.close():
            _leave()


async def _serve(
    server: MemoryServer, desk: Desk, transport: Transport, told: Callable[[Exception], int]
) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_signal, desk)
        tasks.start_soon(_begin, server, desk, told)
        await transport(server)
        tasks.cancel_scope.cancel()


async def over_stdio(server: MemoryServer) -> None:
    """Serve the client that started this process."""
    async with wire() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
        # A thread that writes an answer waits for ever if the client does not read it.
        timer = threading.Timer(_LATEST, _leave)
        timer.daemon = True
        timer.start()


async def _begin(server: MemoryServer, desk: Desk, told: Callable[[Exception], int]) -> None:
    await anyio.sleep(_GREETING)  # what opening it loads would keep a client waiting
    try:
        await server.begin()
    except Exception as error:
        if not desk.closing:
            _leave(told(error))


async def _end_on_signal(desk: Desk) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            await anyio.to_thread.run_sync(desk.close)
            _leave()  # a thread waits for the next line of standard input, and would wait for ever


def _leave(code: int = 0) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)
