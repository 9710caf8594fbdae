"""A minimal MCP client that calls tools: JSON-RPC 2.0 over stdio, one message a line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.soak.owners.json_lines import Child

_PROTOCOL = "2025-06-18"
_MAX_NOTIFICATIONS = 100  # before an answer


class ToolError(Exception):
    """The server answered a call with an error."""


class McpServer:
    """A running server, after its handshake."""

    def __init__(self, command: Sequence[str], log: Path, env: Mapping[str, str]) -> None:
        self._child = Child(command, log, {**os.environ, **env})
        self._calls = 0
        client = {"name": "memtui-soak", "version": "1"}
        try:
            self._ask("initialize", protocolVersion=_PROTOCOL, capabilities={}, clientInfo=client)
            self._child.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except BaseException:
            self._child.close()
            raise

    def call(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Call a tool and return its structured answer. Raise ToolError or ChildFailed."""
        result = self._ask("tools/call", name=tool, arguments=arguments)
        if result.get("isError"):
            words = " ".join(str(part.get("text", "")) for part in result.get("content", ()))
            raise ToolError(f"{tool}: {words}")
        answer: Mapping[str, Any] = result["structuredContent"]
        return answer

    def close(self) -> None:
        """Close its input, at which it ends."""
        self._child.close()

    def _ask(self, method: str, **params: Any) -> Mapping[str, Any]:
        self._calls += 1
        self._child.send({"jsonrpc": "2.0", "id": self._calls, "method": method, "params": params})
        for _ in range(_MAX_NOTIFICATIONS):
            message = self._child.receive()
            if message.get("id") != self._calls:
                continue
            if "error" in message:
                raise ToolError(f"{method}: {message['error'].get('message')}")
            result: Mapping[str, Any] = message["result"]
            return result
        raise ToolError(f"{method}: no answer among {_MAX_NOTIFICATIONS} messages")
