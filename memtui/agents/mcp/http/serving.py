"""Serving any number of clients over streamable HTTP, within bounds."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from uvicorn.protocols.http.h11_impl import H11Protocol

from memtui.agents.mcp.http.guard import Guard, was_let_in

if TYPE_CHECKING:
    from memtui.agents.mcp.server import MemoryServer

_BODY = 8 << 20  # bytes of a request: the longest memory, escaped
_HEADERS = 32 << 10  # bytes
_CONNECTIONS = 100  # open at once
_SESSIONS = 100  # open at once
_IDLE = 1800.0  # seconds after which a session ends that is not used
_SILENT = 10.0  # seconds that a connection may take to send its first request


async def serve_http(server: MemoryServer, listening: socket.socket, file: Path) -> None:
    """Serve clients that have the token of `file`, until cancelled."""
    sessions = StreamableHTTPSessionManager(
        server, session_idle_timeout=_IDLE, max_request_body_size=_BODY, max_sessions=_SESSIONS
    )
    guard = Guard(StreamableHTTPASGIApp(sessions), file, listening.getsockname()[1])
    config = uvicorn.Config(
        guard,
        http=_Impatient,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        h11_max_incomplete_event_size=_HEADERS,
        timeout_graceful_shutdown=0,
    )
    async with sessions.run(), anyio.create_task_group() as tasks:
        tasks.start_soon(guard.watch)
        await _Uvicorn(config).serve([listening])


class _Uvicorn(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever serves."""
        yield


class _Impatient(H11Protocol):
    """Closes a connection on which no request arrives, so that it does not keep others out. Where too many
    are open, the oldest goes whose last request was not let in: who has no token keeps nobody out, however
    slowly it sends."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self.loop.call_later(_SILENT, self._close_silent)
        if len(self.connections) >= _CONNECTIONS:
            others = (each for each in self.connections if isinstance(each, _Impatient) and each is not self)
            strangers = [each for each in others if each.scope is None or not was_let_in(each.scope)]
            if strangers:
                min(strangers, key=lambda each: each.since).transport.abort()

    def _close_silent(self) -> None:
        if self.scope is None and not self.transport.is_closing():
            self.transport.close()
